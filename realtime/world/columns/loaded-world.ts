import type { Chunk } from '../../../shared/rules/chunks/chunk.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'

/** A column in the node's memory. */
export type LoadedColumn = {
  readonly cx: number
  readonly cz: number
  /** Its blocks, unpacked when they were packed; whoever changes them does so through `setBlock` of the world. */
  readonly chunk: Chunk
  /** The Chunk message as a finished binary WebSocket frame, made on demand and shared by all viewers; undefined after a change. */
  binaryFrame: Uint8Array | undefined
  /** The same as a text frame. */
  textFrame: Uint8Array | undefined
  /** Writes of it that are not durable yet; while there are any it stays in memory. */
  writesPending: number
}

/** Somebody who needs columns: a player's view, a command. Nearer columns are loaded and generated first. */
export type ColumnHolder = {
  readonly distanceTo: (pos: ChunkPos) => number
  /** It never holds a column that it holds, nor lets go of one that it does not. */
  readonly keepsCount?: true
}

/** Columns in memory and those on their way; `arrived` and `damaged` count from the start and never fall. */
export type LoadedWorldStats = {
  readonly loaded: number
  readonly loading: number
  /** Columns that came into memory. */
  readonly arrived: number
  /** Damaged records that were met. */
  readonly damaged: number
  /** Columns in memory whose blocks are packed, since nobody looks at them. */
  readonly packed: number
}

/**
 * The columns that somebody needs, loaded from the store or generated. Owned by the game loop: `find`, `blockAt` and `setBlock` answer at
 * once from memory; what is loading arrives in a later tick.
 */
export type LoadedWorld = {
  find(cx: number, cz: number): LoadedColumn | undefined
  /**
   * Keeps a column in memory, loading it first if need be, until the same holder lets it go. Asking twice is asking once; where no column
   * can be, nothing is held.
   */
  hold(pos: ChunkPos, holder: ColumnHolder): void
  /**
   * Says that `holder` is nearer to a column that it holds than before. One that still waits is moved up now; else that is found out when
   * its turn to be measured comes, which takes seconds where thousands wait.
   */
  comeNearer(pos: ChunkPos, holder: ColumnHolder): void
  /** Lets a column go; one that nobody holds is cancelled, or unloaded some time after its writes are durable. */
  letGo(pos: ChunkPos, holder: ColumnHolder): void
  /**
   * Resolves in a tick with the column, loaded and held for `holder`. Rejects with AppError when loading it fails, and when `holder` lets it go; then it is held no more than before.
   */
  load(pos: ChunkPos, holder: ColumnHolder): Promise<LoadedColumn>
  /** The block index there; undefined where no column is in memory. `y` outside of the world is air. */
  blockAt(x: number, y: number, z: number): number | undefined
  /** Changes a block of a loaded column and voids its frames; `y` in 0…255. Returns the index that was there; throws where no column is in memory. */
  setBlock(x: number, y: number, z: number, index: number): number
  /** Takes in what was loaded since the last tick, unloads what nobody came back for and packs what nobody looks at, within budgets of time. */
  step(): void
  /** Whether a column no more than `radius` from `center` came into memory after `arrived` was `seen`, or may have. */
  hasArrivedNear(seen: number, center: ChunkPos, radius: number): boolean
  readonly stats: () => LoadedWorldStats
  /** Cancels what is loading; resolves when nothing of it is under way. Writes are the writer's matter. */
  close(): Promise<void>
}
