import type { LoadedWorld } from '../../../realtime/world/columns/loaded-world.ts'
import { createWorldControl } from '../../../realtime/world/world-control.ts'
import type { WorldControl } from '../../../realtime/world/world-of-node.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { createFlatWorld, type FlatWorldOptions } from './flat-world.ts'

/** A flat world in memory for commands. It ticks only while a caller waits for a column, and never when it is stuck. */
export const createWorldFixture = (options: Omit<FlatWorldOptions, 'chunks'>) => {
  const chunks = createMemoryChunkStore()
  const world = createFlatWorld({ ...options, chunks })
  const state = { isStuck: false }
  const loaded: LoadedWorld = {
    ...world.loaded,
    load: async (pos, holder) => {
      let isWaiting = true
      const column = world.loaded.load(pos, holder).finally(() => {
        isWaiting = false
      })
      const step = () => {
        if (!isWaiting || state.isStuck) return
        world.loaded.step()
        setImmediate(step)
      }
      step()
      return column
    },
  }
  const open = (loadWithinMs: number) => createWorldControl({ ...world, ...options, chunks, loaded, loadWithinMs })
  // Only a load that never ends fails: on a busy machine, any other may take long.
  const [patient, brief] = [open(60_000), open(200)]
  const control: WorldControl = { ...patient, findGround: (at) => (state.isStuck ? brief : patient).findGround(at) }
  return { ...world, chunks, loaded, control, state }
}
