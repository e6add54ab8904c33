import { createTickTimes } from '../../realtime/tick-times.ts'
import { createChunkWriter } from '../../realtime/world/create-chunk-writer.ts'
import { createLoadedWorld } from '../../realtime/world/create-loaded-world.ts'
import type { LoadedWorld } from '../../realtime/world/loaded-world.ts'
import { createPlaceKeeper } from '../../realtime/world/place-keeper.ts'
import { createWorldControl } from '../../realtime/world/world-control.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { Store } from '../../shared/storage/store.ts'
import { createBlockRegistry } from '../../shared/worlds/block-registry.ts'
import { encodeChunk } from '../../shared/worlds/chunk-codec.ts'
import { createMemoryChunkStore } from '../../shared/worlds/chunk-store-memory.ts'
import { createFlatGenerator } from '../../shared/worlds/flat-generator.ts'
import type { WorldRecord } from '../../shared/worlds/world.ts'

const record: WorldRecord = {
  id: '2f0c9c1e-4a0e-4a57-8a55-6c9d6f4f2b01',
  name: 'default',
  seed: 42,
  createdAt: '2026-01-01T00:00:00.000Z',
  generator: 'flat-1',
  settings: {},
}

/** Land on which one stands at height 64. */
const layers = [{ block: 'stone', height: 64 }]

/** A flat world of memory adapters as a node wires it. It has no ticks of its own but while somebody waits for a column. */
export const createWorldFixture = ({ store, clock, log }: { store: Store; clock: Clock; log: Log }) => {
  const registry = createBlockRegistry([
    { id: 'stone', name: 'Stone', colour: 0x808080, solid: true },
    { id: 'water', name: 'Water', colour: 0x2040ff, solid: false },
  ])
  const chunks = createMemoryChunkStore()
  const generator = createFlatGenerator({ flat: { layers } }, registry)
  const state = { isGenerationStuck: false }
  const writer = createChunkWriter({ chunks, world: record, fence: 1, registry, log })
  const world = createLoadedWorld({
    world: record,
    chunks,
    registry,
    generation: {
      generate: async ({ cx, cz }, { signal }) => {
        if (state.isGenerationStuck)
          await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        return encodeChunk(generator.generate(cx, cz), registry)
      },
    },
    writer,
    fence: 1,
    log,
    clock,
  })

  const loaded: LoadedWorld = {
    ...world,
    load: async (pos, holder) => {
      let isWaiting = true
      const column = world.load(pos, holder).finally(() => {
        isWaiting = false
      })
      const step = () => {
        if (!isWaiting) return
        world.step()
        setImmediate(step)
      }
      step()
      return column
    },
  }
  const places = createPlaceKeeper({ store, worldId: record.id, log })
  const tickTimes = createTickTimes()
  const control = createWorldControl({ record, chunks, loaded, writer, places, tickTimes, clock, loadWithinMs: 200 })
  return { record, registry, chunks, generator, writer, loaded, places, tickTimes, control, state }
}
