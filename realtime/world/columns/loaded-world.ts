import type { Chunk } from '../../../shared/rules/chunks/chunk.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'

/** A column in memory. */
export type LoadedColumn = {
  readonly cx: number
  readonly cz: number
  /** Its blocks, unpacked on demand. Change them only with `setBlock` of the world. */
  readonly chunk: Chunk
  /**
   * The Chunk message as a finished binary WebSocket frame. Built on demand, shared by all viewers, and undefined after a change.
   */
  binaryFrame: Uint8Array | undefined
  /** The same as a text frame. */
  textFrame: Uint8Array | undefined
  /** The number of pending writes. The column stays in memory while there are any. */
  writesPending: number
}

/** A user of columns, such as the view of a player or a command. Nearer columns are loaded first. */
export type ColumnHolder = {
  readonly distanceTo: (pos: ChunkPos) => number
  /** The holder tracks its own columns: it never holds one twice, and never releases one that it does not hold. */
  readonly keepsCount?: true
}

/** Columns in memory and those being loaded. `arrived` and `damaged` count from the start and never decrease. */
export type LoadedWorldStats = {
  readonly loaded: number
  readonly loading: number
  /** The number of loaded columns since the start. */
  readonly arrived: number
  /** The number of damaged records since the start. */
  readonly damaged: number
  /** The number of columns in memory whose blocks are packed because they are not used. */
  readonly packed: number
}

/**
 * The columns with holders, loaded from the store or generated. Owned by the game loop: `find`, `blockAt` and `setBlock` work on
 * memory. Columns that are loading arrive in a later tick.
 */
export type LoadedWorld = {
  find(cx: number, cz: number): LoadedColumn | undefined
  /**
   * Keeps a column in memory until the holder releases it, and loads it if necessary. A second call has no effect. Positions
   * outside the world are ignored.
   */
  hold(pos: ChunkPos, holder: ColumnHolder): void
  /**
   * The holder came nearer to a column that it holds. A waiting column moves forward now. Otherwise its distance is noticed at its
   * next measurement, which can take seconds with thousands of columns.
   */
  comeNearer(pos: ChunkPos, holder: ColumnHolder): void
  /** Releases a column. Without holders it is cancelled, or unloaded some time after its writes are durable. */
  letGo(pos: ChunkPos, holder: ColumnHolder): void
  /**
   * Resolves in a tick with the loaded column, held for `holder`. Rejects with AppError if loading fails or `holder` releases it.
   * In that case the number of holds is as before.
   */
  load(pos: ChunkPos, holder: ColumnHolder): Promise<LoadedColumn>
  /** The block index at a position. Undefined if the column is not in memory. `y` outside the world is air. */
  blockAt(x: number, y: number, z: number): number | undefined
  /**
   * Changes a block of a loaded column and clears its frames. `y` is 0…255. Returns the previous index. Throws if the column is not
   * in memory.
   */
  setBlock(x: number, y: number, z: number, index: number): number
  /** Within time limits: adds loaded columns, unloads columns without holders, and packs unused ones. */
  step(): void
  /** Whether a column within `radius` of `center` was, or may have been, loaded since `arrived` was `seen`. */
  hasArrivedNear(seen: number, center: ChunkPos, radius: number): boolean
  readonly stats: () => LoadedWorldStats
  /** Cancels loading and resolves when it has ended. The writer handles pending writes. */
  close(): Promise<void>
}
