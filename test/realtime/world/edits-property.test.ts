import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { type Chunk, getBlock } from '../../../shared/rules/chunks/chunk.ts'
import { createEditFixture, type TestActor } from '../../support/realtime/edit-fixture.ts'
import { storedBlocks } from '../../support/worlds/columns-in-memory.ts'
import { storageFull } from '../../support/worlds/faulty-chunk-store.ts'

const place = fc.record({
  kind: fc.constant('edit' as const),
  player: fc.nat({ max: 2 }),
  blocks: fc.uniqueArray(
    fc.record({
      x: fc.integer({ min: 14, max: 17 }),
      y: fc.integer({ min: 68, max: 69 }),
      z: fc.integer({ min: 14, max: 17 }),
      type: fc.constantFrom('air', 'stone', 'dirt', 'water'),
    }),
    { minLength: 1, maxLength: 6, selector: ({ x, y, z }) => `${x} ${y} ${z}` },
  ),
})
const step = fc.oneof(
  { weight: 6, arbitrary: place },
  { weight: 4, arbitrary: fc.constant({ kind: 'tick' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'turn' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('disk' as const), state: fc.constantFrom('works', 'fails', 'fails afterwards') }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'slow' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'fast' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'second' as const }) },
)

it('keeps memory, store and views equal to the confirmed edits, despite faults of the store', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), fc.integer({ min: 1, max: 4 }), async (steps, batchMax) => {
      const fixture = createEditFixture({ writer: { limits: { batchMax } } })
      const { edits, join, watch, tick, chunks, writer, registry, memory, loaded } = fixture
      const players = ['ann', 'bob', 'cy'].map((name) => join(name))
      const views = [watch(), watch(['0 0', '1 1']), watch(['0 1'], 'text')]
      const asked = new Map<string, readonly { x: number; y: number; z: number; type: string }[]>()
      let release = (): void => {}
      let seq = 0
      for (const one of steps) {
        if (one.kind === 'edit') {
          const actor = players[one.player] as TestActor
          seq += 1
          asked.set(`${actor.body.playerId} ${seq}`, one.blocks)
          edits.edit(actor, { seq, edits: [...one.blocks] })
        } else if (one.kind === 'tick') tick()
        else if (one.kind === 'turn') await new Promise(setImmediate)
        else if (one.kind === 'slow') {
          release()
          release = chunks.hold()
        } else if (one.kind === 'fast') release()
        else if (one.kind === 'second') tick(1000)
        else {
          chunks.failAfterwards = one.state === 'fails afterwards'
          if (one.state === 'works') chunks.accept()
          else chunks.refuse(storageFull)
        }
      }
      release()
      chunks.accept()
      for (let i = 0; i < 4; i += 1) {
        await writer.settle()
        tick(1000)
      }

      const expected = new Map<string, string>()
      const answers = players.flatMap(({ body, answers }) => answers.map((answer) => ({ ...answer, by: body.playerId })))
      for (const { ok, by, seq } of answers.sort((a, b) => a.seq - b.seq))
        for (const { x, y, z, type } of ok ? (asked.get(`${by} ${seq}`) ?? []) : [])
          if (type === 'air') expected.delete(`${x} ${y} ${z}`)
          else expected.set(`${x} ${y} ${z}`, type)
      expect(answers).toHaveLength(asked.size)
      expect(memory()).toEqual(expected)
      expect(await storedBlocks(chunks, registry)).toEqual(expected)
      for (const { blocks, columns } of views)
        expect(blocks).toEqual(
          new Map(
            [...expected].filter(([key]) => {
              const [x = 0, , z = 0] = key.split(' ').map(Number)
              return columns.has(`${x >> 4} ${z >> 4}`)
            }),
          ),
        )
      for (const { writesPending } of loaded.all()) expect(writesPending).toBe(0)
    }),
    { numRuns: 150 },
  )
})

it('never stores a part of an edit, whichever write is the last before a crash', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (steps, batchMax) => {
      const { edits, join, tick, chunks, writer, registry } = createEditFixture({ writer: { limits: { batchMax } } })
      const ann = join('ann')
      let seq = 0
      let release = (): void => {}
      for (const one of steps) {
        if (one.kind === 'edit') {
          // Each edit changes two columns at once, to the same kind of block: a crash must never leave them apart.
          const [{ y = 68, type = 'air' } = {}] = one.blocks
          seq += 1
          edits.edit(ann, { seq, edits: [15, 17].map((x) => ({ x, y, z: 14, type })) })
        } else if (one.kind === 'slow') {
          release()
          release = chunks.hold()
        } else if (one.kind === 'fast') release()
        else if (one.kind === 'turn') await new Promise(setImmediate)
        else tick()
      }
      release()
      await writer.settle()
      const stored = new Map<number, Chunk>()
      const pillar = (cx: number, x: number) => {
        const chunk = stored.get(cx)
        return [68, 69].map((y) => (chunk === undefined ? 0 : getBlock(chunk, x, y, 14)))
      }
      for (const records of chunks.attempts) {
        for (const { cx, cz, bytes } of records) {
          const decoded = decodeChunk(bytes, { cx, cz }, registry)
          if (decoded.ok) stored.set(cx, decoded.chunk)
        }
        expect(pillar(0, 15)).toEqual(pillar(1, 17))
      }
    }),
    { numRuns: 60 },
  )
})
