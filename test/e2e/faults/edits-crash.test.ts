import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { waitFor } from '../../support/time/wait-for.ts'
import { type Builder, createBuilder, type Placed } from '../support/builder.ts'
import { createStage, quickConfig } from '../support/stage.ts'

const stage = createStage()
let dataDir = ''
beforeAll(async () => {
  dataDir = await stage.createDataDir(
    `${quickConfig}realtime: { messagesPerSecond: 10000, messageBurst: 20000, viewRadius: 2 }\n`,
  )
})
afterAll(() => stage.close())

/** The possible blocks of each place: the last confirmed one, and all later requests. */
const possible = new Map<string, Set<string>>()
const keyOf = ({ x, y, z }: { x: number; y: number; z: number }) => `${x} ${y} ${z}`
const types = ['stone', 'dirt', 'planks', 'glass', 'air']

const allow = (edits: readonly Placed[]): void => {
  for (const edit of edits) possible.set(keyOf(edit), (possible.get(keyOf(edit)) ?? new Set(['air'])).add(edit.type))
}
const settle = (edits: readonly Placed[]): void => {
  for (const edit of edits) possible.set(keyOf(edit), new Set([edit.type]))
}

const enter = async (): Promise<{ builder: Builder; kill: () => Promise<void> }> => {
  const server = await stage.start({ DATA_DIR: dataDir })
  const token = await stage.signIn(server.url, 'builder@example.com')
  const builder = createBuilder(await stage.enter(server.url, token))
  await builder.look(builder.places)
  return {
    builder,
    kill: async () => {
      server.signal('SIGKILL')
      expect(await server.ended).toBe('SIGKILL')
    },
  }
}

/** Each loop has its own walls, so that edits do not overlap. */
const buildWithoutEnd = async (
  { edit, isOpen }: Builder,
  wall: readonly Omit<Placed, 'type'>[],
  note: () => void,
): Promise<void> => {
  for (let turn = 0; isOpen(); turn += 1) {
    const edits = wall.map((place, i) => ({ ...place, type: types[(turn + i) % types.length] ?? 'stone' }))
    allow(edits)
    const answer = await edit(edits)
    if (answer === undefined) return
    expect(answer).toEqual({ ok: true, reason: '' })
    settle(edits)
    note()
  }
}

it.each([1, 17, 60])('keeps every confirmed edit after repeated kill -9 at the moment of answer %d', async (answers) => {
  const { builder, kill } = await enter()
  const found = await builder.look(builder.places)
  for (const [i, place] of builder.places.entries()) {
    const expected = possible.get(keyOf(place))
    if (expected !== undefined) expect([...expected]).toContain(found[i])
    // From here on the block is known: unconfirmed edits from before the crash are settled.
    if (found[i] !== undefined) possible.set(keyOf(place), new Set([found[i]]))
  }
  let noted = 0
  const walls = [0, 15, 30, 45, 60].map((first) => builder.places.slice(first, first + 15))
  const building = Promise.all(
    walls.map((wall) =>
      buildWithoutEnd(builder, wall, () => {
        noted += 1
      }),
    ),
  )
  await waitFor(() => noted >= answers)
  await kill()
  await building
})

it('needs no repair afterwards', async () => {
  const check = stage.launch('tools/world.ts', ['check', 'default'], { DATA_DIR: dataDir })
  expect(await check.ended).toBe(0)
  const { builder } = await enter()
  const found = await builder.look(builder.places)
  for (const [i, place] of builder.places.entries()) expect([...(possible.get(keyOf(place)) ?? [])]).toContain(found[i])
  expect(await builder.edit([{ x: 0, y: 0, z: 0, type: 'stone', ...builder.places[0] }])).toEqual({ ok: true, reason: '' })
})
