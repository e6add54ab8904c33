import { describe, expect, it } from '@jest/globals'
import { hashSync } from 'bcryptjs'
import { allRoutes } from '../../functions/all-routes.ts'
import { newZone, openZoneDoor } from '../support/zones/zone-door.ts'
import { zoneEditor } from '../support/zones/zone-fixture.ts'
import { doors } from './doors.ts'

const groups = {
  groups: [
    { name: 'player', permissions: ['world.build'] },
    { name: 'owner', permissions: ['zone.own', 'zone.history'] },
  ],
  defaultGroups: ['player'],
}
const passwordHash = hashSync('a long password', 4)

const open = async (openDoor: Parameters<typeof openZoneDoor>[0], hasPassword: boolean) => {
  const door = await openZoneDoor(openDoor, { routes: allRoutes, configs: { groups } })
  const { player } = door.people
  const { passwordHash: _, ...rest } = player
  const account = { ...rest, groups: ['owner'], ...(hasPassword && { passwordHash }) }
  await door.accountStore.change(player.email, () => ({ next: account, result: undefined }))
  const { zone } = await door.deps.zones.createZone({ ...zoneEditor, playerId: player.playerId }, newZone)
  const bearer = async (verified: boolean) => {
    const { ids, clock, tokens } = door.deps
    const grant = { playerId: player.playerId, verified, signInId: ids.uuid(), signedInAt: clock.now() }
    return { authorization: `Bearer ${await tokens.issue(grant)}` }
  }
  return { ...door, zone, bearer, player }
}

const refused = { status: 403, body: { type: '/problems/password-sign-in-needed' } }

describe.each(doors)('an unverified sign-in through %s', (_name, openDoor) => {
  it.each([true, false])('sees its own limits; the account has a password: %s', async (hasPassword) => {
    const { get, bearer, player } = await open(openDoor, hasPassword)
    const { playerId, displayName } = player
    expect((await get('/auth/me', await bearer(false))).body).toEqual({
      playerId,
      displayName,
      verified: false,
      groups: [hasPassword ? 'player' : 'owner'],
    })
    expect((await get('/auth/me', await bearer(true))).body).toEqual({
      playerId,
      displayName,
      verified: true,
      groups: ['owner'],
    })
  })

  it.each([true, false])('changes nothing in its own zone; the account has a password: %s', async (hasPassword) => {
    const { get, put, post, bearer, zone } = await open(openDoor, hasPassword)
    const path = `/api/admin/instances/${zone.id}`
    const land = '/api/admin/worlds/default'
    const dryRun = { since: '2026-01-01T00:00:00Z', zone: zone.id, dryRun: true }
    const all = (headers: Record<string, string>) =>
      Promise.all([
        put(`${path}/rules`, { build: 'everyone' }, headers),
        put(`${path}/members`, [], headers),
        get(`${land}/history?zone=${zone.id}`, headers),
        post(`${land}/rollback`, dryRun, headers),
      ])
    for (const answer of await all(await bearer(false))) expect(answer).toMatchObject(refused)
    expect((await all(await bearer(true))).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('reads no jobs, not even its own, and undoes nothing', async () => {
    const { get, del, post, bearer, zone } = await open(openDoor, false)
    const started = await post(
      '/api/admin/worlds/default/rollback',
      { since: '2026-01-01T00:00:00Z', zone: zone.id },
      await bearer(true),
    )
    const job = `/api/admin/jobs/${started.body.id}`
    const unverified = await bearer(false)
    expect(await get(job, unverified)).toMatchObject(refused)
    expect(await del(job, unverified)).toMatchObject(refused)
    expect(await post('/api/admin/audit/anything/undo', undefined, unverified)).toMatchObject(refused)
  })
})

it('is refused by every admin route that checks permissions itself', () => {
  const decide = allRoutes.filter(({ path, permission }) => path.startsWith('/api/admin/') && permission === 'signed-in')
  expect(decide.length).toBeGreaterThan(4)
  expect(decide.filter(({ privilege }) => privilege === undefined)).toEqual([])
})
