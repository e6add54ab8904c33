import { WebSocket } from 'ws'
import { createCall } from '../../sdk/admin.ts'
import { connect, type Session, signIn } from '../../sdk/client.ts'
import { waitFor } from '../support/time/wait-for.ts'

const people = [
  ['mira@example.com', 'Mira'],
  ['jonas@example.com', 'Jonas'],
  ['aino@example.com', 'Aino Virtanen'],
  ['rui@example.com', 'Rui'],
  ['sophie@example.com', 'Sophie'],
  ['tariq@example.com', 'Tariq'],
  ['wanjiru@example.com', 'Wanjirũ'],
  ['a.very.long.address.of.somebody@department.university.example.com', 'Somebody with a long name'],
] as const
const password = 'a password of a screenshot'
const dayMs = 86_400_000

const joinAs = async (url: string, email: string): Promise<Session> =>
  connect(await signIn({ url, email, password }), { WebSocket, clientName: 'screenshots' })

/**
 * Fills every page of the console: accounts, a grant, sanctions, a report, zones, worlds, a job, a backup. The returned function
 * ends the session.
 */
export const fillConsole = async (url: string, token: string): Promise<() => Promise<void>> => {
  const call = createCall({ url, token: () => token })
  for (const [email, displayName] of people) await call('POST /api/admin/users', { body: { email, displayName, password } })
  await call('PUT /api/admin/users/{email}', {
    params: { email: 'mira@example.com' },
    body: { groups: ['player', 'moderator'] },
  })
  await call('PUT /api/admin/users/{email}', { params: { email: 'jonas@example.com' }, body: { groups: ['builder'] } })
  await call('POST /api/admin/worlds', { body: { name: 'workshop', seed: 'anvil' } })
  const sessions = await Promise.all(
    ['mira@example.com', 'jonas@example.com', 'aino@example.com'].map((email) => joinAs(url, email)),
  )
  const [mira, jonas, aino] = sessions
  const { x = 0, z = 0 } = mira?.position() ?? {}
  const [cx, cz] = [Math.floor(x / 16), Math.floor(z / 16)]
  const chunks = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dz) => ({ cx: cx + dx, cz: cz + dz })))
  let market = ''
  await waitFor(async () => {
    const made = await call('POST /api/admin/instances', { body: { name: 'Market square', yMin: 40, yMax: 140, chunks } }).catch(
      () => undefined,
    )
    market = made?.body.id ?? ''
    return made !== undefined
  }, 60_000)
  const grant = { permission: 'zone.build', zone: market, reason: 'Builds the stalls.' }
  const until = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
  await call('POST /api/admin/users/{email}/grants', {
    params: { email: 'jonas@example.com' },
    body: { ...grant, until: until(7) },
  })
  await call('POST /api/admin/sanctions', {
    body: { kind: 'mute', email: 'rui@example.com', reason: 'Shouting in the market.', until: until(1) },
  })
  await call('POST /api/admin/sanctions', { body: { kind: 'ban', address: '192.0.2.0/24', reason: 'A flood of sign-ins.' } })
  await jonas?.chat('Anybody seen my ladder?')
  await aino?.chat('By the well, I think.')
  await mira?.command('/report Rui "Took the ladder from the well, and the well."')
  await call('POST /api/admin/backups')
  await call('POST /api/admin/worlds/{world}/pregen', { params: { world: 'default' }, body: { radius: 24 } })
  return async () => {
    await Promise.all(sessions.map((session) => session.close()))
  }
}
