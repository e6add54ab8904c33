import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { createBuilder } from '../support/builder.ts'
import { administrator, createStage, quickConfig, type Server } from '../support/stage.ts'

const stage = createStage()
const email = 'builder@example.com'
const types = ['stone', 'dirt', 'planks', 'glass']
let variables: Record<string, string>
let server: Server

beforeAll(async () => {
  const config = `${quickConfig}realtime: { messagesPerSecond: 10000, messageBurst: 20000, viewRadius: 2 }\n`
  variables = { DATA_DIR: await stage.createDataDir(config) }
  server = await stage.start(variables)
  await stage.claim(server)
}, 180_000)
afterAll(() => stage.close())

type Change = { readonly x: number; readonly y: number; readonly z: number; readonly by: string; readonly to: string }
const keyOf = ({ x, y, z }: Omit<Change, 'by' | 'to'>) => `${x} ${y} ${z}`

const say = async (what: string, body?: object) => {
  const token = await stage.signIn(server.url, administrator.email, administrator.password)
  return (await ask(server.url, what, { token, ...(body && { body }) })).body
}

/** The newest change of each place. */
const newestOf = async (): Promise<Map<string, Change>> => {
  const newest = new Map<string, Change>()
  let cursor: unknown
  do {
    const page = await say(`GET /api/admin/worlds/default/history?limit=200${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    for (const change of page.changes as Change[]) if (!newest.has(keyOf(change))) newest.set(keyOf(change), change)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return newest
}

const enter = async () => createBuilder(await stage.enter(server.url, await stage.signIn(server.url, email)))

/** Returns the block at each place, and checks that it equals the last one in the history. */
const agree = async (): Promise<readonly (string | undefined)[]> => {
  const builder = await enter()
  const found = await builder.look(builder.places)
  const newest = await newestOf()
  expect(found).toEqual(builder.places.map((place) => newest.get(keyOf(place))?.to ?? 'air'))
  await builder.session.close()
  return found
}

const killAndStart = async (): Promise<void> => {
  await server.kill()
  server = await stage.start(variables)
}

it('keeps blocks and history consistent, and resumes a killed rollback', async () => {
  const builder = await enter()
  await builder.look(builder.places)
  let answered = 0
  const build = async (first: number): Promise<void> => {
    for (let turn = 0; builder.isOpen(); turn += 1) {
      const wall = builder.places.slice(first, first + 15)
      const answer = await builder.edit(wall.map((place, at) => ({ ...place, type: types[(turn + at) % 4] ?? 'stone' })))
      if (answer === undefined) return
      answered += 1
    }
  }
  const building = Promise.all([0, 15, 30, 45, 60].map(build))
  await waitFor(() => answered >= 10)
  await killAndStart()
  await building
  expect((await agree()).some((type) => type !== 'air')).toBe(true)

  const { playerId } = await say(`GET /api/admin/users/${email}`)
  const job = await say('POST /api/admin/worlds/default/rollback', { by: playerId, since: '2020-01-01T00:00:00Z' })
  for (let look = 0; look < 4; look += 1) await say(`GET /api/admin/jobs/${job.id}`)
  await killAndStart()
  await waitFor(async () => (await say(`GET /api/admin/jobs/${job.id}`)).finishedAt !== undefined)
  expect(await say(`GET /api/admin/jobs/${job.id}`)).toMatchObject({ state: 'done', result: { skipped: 0 } })
  expect(new Set(await agree())).toEqual(new Set(['air']))
}, 180_000)
