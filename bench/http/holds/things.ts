import { ClientMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import { waitFor } from '../../../test/support/time/wait-for.ts'
import type { Door } from './frames.ts'
import { person, type Stage } from './stage.ts'

/** Values for the parameters of paths: `:id` by the part of the path before it, the others by their own name. */
export type Things = {
  readonly ids: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
  /** Reconnects the administrator's player. */
  comeIn(): Promise<void>
}

type Item = { readonly id: string; readonly action?: string }

const read = async (stage: Stage, path: string): Promise<string> => (await stage.send('GET', path)).text()

const findFirst = async (stage: Stage, path: string, list: string, action?: string): Promise<string> => {
  const answer: Readonly<Record<string, readonly Item[]>> = JSON.parse(await read(stage, path))
  const found = answer[list]?.find((item) => action === undefined || item.action === action)
  if (found === undefined) throw new Error(`GET ${path} lists no ${action ?? list}`)
  return found.id
}

/** Creates one thing for each parameter of a path. The administrator's player must be in the game. */
export const makeThings = async (stage: Stage, game: Door): Promise<Things> => {
  const text = `/report ${person} ${'why '.repeat(50)}`
  await game.send(ClientMessage.encode({ kind: { $case: 'command', value: { seq: 1, text } } }).finish())
  const until = new Date(Date.now() + 86_400_000).toISOString()
  const { playerId }: { playerId: string } = JSON.parse(await read(stage, '/api/admin/users/admin%40example.com'))
  const file = /src="pages\/([\w.-]+)"/.exec(await read(stage, '/play'))?.[1]
  if (file === undefined) throw new Error('the page names no script')
  const email = encodeURIComponent(person)
  return {
    comeIn: async () => {
      await game.open()
      // A node publishes its players about once a second.
      await waitFor(async () => (await read(stage, '/api/admin/players')).includes(playerId), 20_000)
    },
    ids: {
      instances: stage.zoneId,
      grants: await stage.make(`/api/admin/users/${email}/grants`, { group: 'player', until }),
      invitations: await stage.make('/api/admin/invitations', { groups: [] }),
      sanctions: await stage.make('/api/admin/sanctions', { kind: 'warning', email: person, reason: 'a bench', until }),
      jobs: await stage.make('/api/admin/worlds/default/pregen', { radius: 1 }),
      audit: await findFirst(stage, '/api/admin/audit?limit=200', 'entries', 'zone.update'),
      reports: await findFirst(stage, '/api/admin/reports', 'reports'),
    },
    values: {
      world: 'default',
      zoom: '5',
      tx: '0',
      tile: '0.png',
      playerId,
      file,
      snapshot: await stage.make(`/api/admin/instances/${stage.zoneId}/snapshots`, { name: 'Before' }),
      email,
      name: 'groups.yaml',
      filename: 'groups.schema.json',
      slug: 'rule-broken',
    },
  }
}
