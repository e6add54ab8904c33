import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { getBlock } from '../../../shared/rules/chunks/chunk.ts'
import type { FeedMessage } from '../../support/feeds/feed-client.ts'
import { createFeedFixture } from '../../support/feeds/feed-fixture.ts'
import { storageFull } from '../../support/worlds/faulty-chunk-store.ts'

type Block = { readonly x: number; readonly y: number; readonly z: number; readonly type: string }

const block = fc.record({
  x: fc.integer({ min: 14, max: 16 }),
  y: fc.integer({ min: 79, max: 81 }),
  z: fc.integer({ min: 0, max: 1 }),
  type: fc.constantFrom('air', 'stone', 'grass', 'marzipan'),
})
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      feed: fc.nat({ max: 1 }),
      edits: fc.array(block, { minLength: 1, maxLength: 4 }),
      partial: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'tick' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'settle' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('disk' as const), works: fc.boolean() }) },
)

const applyTo = (blocks: Map<string, string>, messages: readonly FeedMessage[]): Map<string, string> => {
  for (const { type, edits } of messages)
    if (type === 'blocks') for (const { x, y, z, type: id } of edits as Block[]) blocks.set(`${x} ${y} ${z}`, id)
  return blocks
}

it('keeps the same blocks in memory, store and feeds, and answers each edit once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      const node = await createFeedFixture()
      const { world, chunks, loop, clock } = node
      const token = await node.signIn(await node.addAccount('ann', ['editor']))
      const feeds = [await node.open(token), await node.open(token)]
      await node.settle()
      let ref = 0
      for (const one of steps) {
        if (one.kind === 'edit') {
          feeds[one.feed]?.send({ type: 'edit', ref, edits: one.edits, partial: one.partial })
          ref += 1
        } else if (one.kind === 'tick') {
          clock.advance(50)
          loop.tick(clock.monotonic())
        } else if (one.kind === 'settle') await node.settle()
        else if (one.works) chunks.accept()
        else chunks.refuse(storageFull)
      }
      chunks.accept()
      await node.pass(5000)
      await world.writer.settle()
      await node.pass(5000)

      const results = feeds.flatMap(({ all }) => all('result'))
      expect(results.map(({ ref: of }) => of).sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: ref }, (_, i) => i),
      )
      const views = feeds.map(({ received }) => applyTo(new Map(), received))
      expect(views[1]).toEqual(views[0])
      const record = await chunks.get(world.record, { cx: 0, cz: 0 })
      const stored = record === undefined ? undefined : decodeChunk(record, { cx: 0, cz: 0 }, world.registry)
      for (const [key, type] of views[0] ?? []) {
        const [x = 0, y = 0, z = 0] = key.split(' ').map(Number)
        expect(x).toBeLessThan(16)
        expect(y).toBeLessThanOrEqual(80)
        const index = world.registry.find(type)?.index
        expect({ key, index: world.loaded.blockAt(x, y, z) }).toEqual({ key, index })
        if (stored?.ok === true) expect({ key, index: getBlock(stored.chunk, x, y, z) }).toEqual({ key, index })
      }
      await node.close()
    }),
    { numRuns: 40 },
  )
})
