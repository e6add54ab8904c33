import { randomUUID } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { check, feature, type Kit } from '../check.ts'
import {
  expectBody,
  expectEqual,
  expectFaultAt,
  expectHeader,
  expectProblem,
  expectStatus,
  expectThat,
  show,
} from '../report/expectations.ts'
import { Skipped } from '../report/skipped.ts'

const World = Type.Object({ name: Type.String(), seed: Type.Integer(), chunkCount: Type.Integer(), active: Type.Boolean() })

const listWorlds = async ({ ask }: Kit): Promise<readonly Static<typeof World>[]> => {
  const answer = await ask('administrator', 'GET /api/admin/worlds')
  expectStatus(answer, 200)
  return expectBody(answer, Type.Array(World))
}

export const worlds = feature('Worlds', [
  check('administrator', 'are listed, the active one first, then by name', async (kit) => {
    const all = await listWorlds(kit)
    expectThat(all.filter(({ active }) => active).length <= 1, 'one active world at most', () => JSON.stringify(all))
    const expected = all.toSorted((one, other) => Number(other.active) - Number(one.active) || (one.name < other.name ? -1 : 1))
    expectEqual(
      'the order',
      all.map(({ name }) => name),
      expected.map(({ name }) => name),
    )
  }),
  check('write', 'are not created twice', async (kit) => {
    const [world] = await listWorlds(kit)
    if (world === undefined) throw new Skipped('there is no world')
    expectProblem(await kit.ask('administrator', 'POST /api/admin/worlds', { json: { name: world.name } }), 409, 'already-exists')
    expectEqual('the seed', (await listWorlds(kit)).find(({ name }) => name === world.name)?.seed, world.seed)
  }),
  check('administrator', 'have a feed for WebSocket clients only', async (kit) => {
    const [world] = await listWorlds(kit)
    if (world === undefined) throw new Skipped('there is no world')
    const answer = await kit.ask('administrator', `GET /api/admin/ws/worlds/${world.name}`)
    expectProblem(answer, 426, 'upgrade-required')
    expectHeader(answer, 'Upgrade', /websocket/i)
  }),
  check('administrator', 'have a history by player and time, and refuse an empty time', async (kit) => {
    const [world] = await listWorlds(kit)
    if (world === undefined) throw new Skipped('there is no world')
    const base = `/api/admin/worlds/${world.name}/history`
    const ask = (query: string) => kit.ask('administrator', `GET ${base}?${query}`)
    expectStatus(await ask(`by=${randomUUID()}&limit=1`), 200)
    expectProblem(await ask('by=somebody'), 400, 'bad-request')
    expectProblem(await ask('since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z'), 422, 'rule-broken')
  }),
  check('write-worlds', 'are renamed, exported and deleted, or the answer names the command', async ({ ask, name, cleanUp }) => {
    const [from, to] = [`${name}-before`, `${name}-after`]
    cleanUp.stays(`the world ${from} in the trash, or a world that cannot be deleted`)
    expectStatus(await ask('administrator', 'POST /api/admin/worlds', { json: { name: from } }), 201)
    const renamed = await ask('administrator', `PUT /api/admin/worlds/${from}`, { json: { name: to } })
    const exported = await ask('administrator', `GET /api/admin/worlds/${renamed.status === 200 ? to : from}/export`)
    const upload = async (world: string, raw: string | Uint8Array) =>
      ask('administrator', `POST /api/admin/worlds/${world}/import`, { raw, headers: { 'content-type': 'application/gzip' } })
    if (renamed.status !== 200) {
      expectProblem(await upload(to, 'x'), 409, 'managed-elsewhere')
      const deleted = await ask('administrator', `DELETE /api/admin/worlds/${from}`)
      for (const answer of [renamed, exported, deleted]) expectProblem(answer, 409, 'managed-elsewhere')
      return
    }
    expectEqual('the name', expectBody(renamed, World).name, to)
    expectStatus(exported, 200)
    expectProblem(await upload(to, exported.bytes), 409, 'already-exists')
    expectProblem(await upload(from, 'not an export'), 400, 'bad-request')
    expectProblem(await ask('administrator', `PUT /api/admin/worlds/${from}`, { json: { name: to } }), 404, 'not-found')
    expectStatus(await ask('administrator', `DELETE /api/admin/worlds/${to}`), 200)
    expectProblem(await ask('administrator', `DELETE /api/admin/worlds/${to}`), 404, 'not-found')
  }),
  check('administrator', 'have plain names', async ({ ask }) => {
    for (const name of ['', 'a b', '../up', 'x'.repeat(65), 'ä'])
      expectFaultAt(await ask('administrator', 'POST /api/admin/worlds', { json: { name } }), '/name')
  }),
  check('write-worlds', 'are created with the requested seed: a number, digits, or a text that is hashed to one', async (kit) => {
    const make = async (suffix: string, seed: string | number) => {
      const name = `${kit.name}-${suffix}`
      kit.cleanUp.stays(`the world ${name}`)
      const answer = await kit.ask('administrator', 'POST /api/admin/worlds', { json: { name, seed } })
      expectStatus(answer, 201)
      return expectBody(answer, World)
    }
    expectEqual('the seed', (await make('number', 42)).seed, 42)
    expectEqual('the seed', (await make('digits', '42')).seed, 42)
    const text = await make('text', 'hello')
    expectThat(Number.isSafeInteger(text.seed) && !text.active && text.chunkCount === 0, 'an empty world with a seed', () =>
      JSON.stringify(text),
    )
  }),
])

const Backups = Type.Object({
  backups: Type.Array(Type.Object({ id: Type.String(), at: Type.String(), sizeBytes: Type.Integer({ minimum: 0 }) })),
})
const unknown = '/api/admin/backups/20000101T000000Z-00000000'

export const backups = feature('Backups', [
  check('administrator', 'are listed, newest first, or managed elsewhere', async ({ ask }) => {
    const answer = await ask('administrator', 'GET /api/admin/backups')
    if (answer.status === 409) return expectProblem(answer, 409, 'managed-elsewhere')
    const ids = expectBody(answer, Backups).backups.map(({ id }) => id)
    expectThat(ids.join() === ids.toSorted().toReversed().join(), 'newest first', () => show(ids))
  }),
  check('administrator', 'are not found under an unknown id', async ({ ask }) => {
    for (const route of [`GET ${unknown}/download`, `POST ${unknown}/verify`, `DELETE ${unknown}`]) {
      const answer = await ask('administrator', route)
      if (answer.status === 409) expectProblem(answer, 409, 'managed-elsewhere')
      else expectProblem(answer, 404, 'not-found')
    }
  }),
])
