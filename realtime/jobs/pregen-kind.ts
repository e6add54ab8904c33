import type { JobContext, JobKind } from '../../shared/domain/jobs/job.ts'
import { parsePregenInput, parsePregenKept, pregenName, pregenProgress } from '../../shared/domain/jobs/pregen.ts'
import { columnsOf, findMissing, squareRegions } from '../../shared/domain/worlds/generation/square-regions.ts'
import type { ChunkStore } from '../../shared/domain/worlds/store/chunk-store.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { ChunkBox, ChunkPos } from '../../shared/rules/positions.ts'
import type { ColumnHolder } from '../world/columns/loaded-world.ts'
import type { NodeWorld } from '../world/node-world.ts'

export type PregenDeps = {
  readonly world: Pick<NodeWorld, 'record' | 'loaded' | 'writer'>
  readonly chunks: Pick<ChunkStore, 'discovered'>
}

/** The number of columns in progress. Players wait for at most these. */
const atOnce = 32
/** Farther than any player. */
const farAway = (): ColumnHolder => ({ distanceTo: () => Number.MAX_SAFE_INTEGER })

const badInput = (): AppError => new AppError('invalid', 'bad-request', 'The job cannot be read. Start it again.')

const notStored = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'New columns could not be stored. See the log of the server.')

/** Loads the columns, a limited number at a time. Stops at the first failure. */
const loadAll = async (deps: PregenDeps, positions: readonly ChunkPos[], { signal }: JobContext): Promise<void> => {
  const { loaded } = deps.world
  const waiting = [...positions].reverse()
  const holder = farAway()
  const cancel = () => {
    for (const pos of positions) loaded.letGo(pos, holder)
  }
  signal.addEventListener('abort', cancel)
  const loadSome = async (): Promise<void> => {
    for (let pos = waiting.pop(); pos !== undefined; pos = waiting.pop()) {
      signal.throwIfAborted()
      await loaded.load(pos, holder)
      loaded.letGo(pos, holder)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, loadSome))
  } finally {
    waiting.length = 0
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Generates the missing columns of a box. Resolves to their number when they are durable. */
const fillBox = async (deps: PregenDeps, box: ChunkBox, context: JobContext): Promise<number> => {
  const { world, chunks } = deps
  const missing = await findMissing(chunks, world.record, box)
  if (missing.length === 0) return 0
  await loadAll(deps, missing, context)
  await world.writer.settle()
  if ((await findMissing(chunks, world.record, box)).length > 0) throw notStored()
  return missing.length
}

/** Generates columns in the background. Columns that players wait for come first. */
export const createPregenKind = (deps: PregenDeps): JobKind => ({
  kind: pregenName,
  lane: 'columns',
  afterCrash: 'go-on',
  run: async (context) => {
    const input = parsePregenInput(context.input)
    if (!input.ok) throw badInput()
    const { radius } = input.value
    const kept = parsePregenKept(context.kept)
    let generated = kept.ok ? kept.value.generated : 0
    let there = 0
    for (const box of squareRegions(radius)) {
      context.signal.throwIfAborted()
      const made = await fillBox(deps, box, context)
      generated += made
      there += columnsOf(box)
      const told = pregenProgress(radius, { there, generated })
      if (made > 0) await context.keep({ generated }, told)
      else context.tell(told)
    }
    return pregenProgress(radius, { there, generated })
  },
})
