import type { ChunkBox, ChunkPos } from '../../../rules/positions.ts'

/**
 * Identifies the chunks of a world. The name gives their location. The id shows whether they belong to this world or to another one
 * with the same name.
 */
export type WorldRef = { readonly name: string; readonly id: string }

/** A column as encoded by `encodeChunk`. */
export type ChunkRecord = ChunkPos & { readonly bytes: Uint8Array }

/** The generated columns of one `cx`, `czs` ascending. */
export type DiscoveredRow = { readonly cx: number; readonly czs: Int32Array }

/** Writes or (without bytes) deletes a small side record of a world. The key has lower-case letters, digits and slashes. */
export type SideWrite = { readonly key: string; readonly bytes: Uint8Array | undefined }

export type SideRecord = { readonly key: string; readonly bytes: Uint8Array }

/** Selects side records: at most `limit`, or all; after the key `after`, or from the first one. */
export type SidePage = { readonly after?: string | undefined; readonly limit?: number }

export type ChunkStats = {
  /** Generated columns. */
  readonly chunkCount: number
  /** The size of the world in the store. */
  readonly sizeBytes: number
}

/**
 * The columns of worlds as encoded records, which the store does not decode. All methods throw AppError `unavailable`, slug
 * `world-unusable`, with the fault and the fix, if the chunks of a world are damaged, foreign, too new or locked. A world without
 * chunks reads as empty.
 */
export type ChunkStore = {
  get(world: WorldRef, pos: ChunkPos): Promise<Uint8Array | undefined>
  /** In the order of `positions`. */
  getMany(world: WorldRef, positions: readonly ChunkPos[]): Promise<readonly (Uint8Array | undefined)[]>
  /**
   * Writes columns, all or nothing. Durable when it resolves; the columns then count as discovered. If a column occurs twice, its last
   * record counts. Do not change the bytes before it resolves. A call without records still raises the fence. At most eight side
   * records are written in the same transaction, each of at most 350,000 bytes.
   *
   * `fence` is that of the writer's lease. Throws AppError `conflict`, slug `lease-lost`, if a later holder has written; `unavailable`,
   * slug `storage-full`, if the disk is full.
   */
  putMany(world: WorldRef, records: readonly ChunkRecord[], fence: number, beside?: readonly SideWrite[]): Promise<void>
  /** Side records, in the order of `keys`. */
  getSide(world: WorldRef, keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>
  /** The side records whose keys start with `prefix`, sorted by key; all of them without a page. */
  listSide(world: WorldRef, prefix: string, page?: SidePage): Promise<readonly SideRecord[]>
  has(world: WorldRef, pos: ChunkPos): Promise<boolean>
  /** In the order of `positions`. Thousands of positions cost a few milliseconds. */
  hasMany(world: WorldRef, positions: readonly ChunkPos[]): Promise<readonly boolean[]>
  /**
   * Sorted by cx. Memory does not grow with the world (except for the adapter in memory). Each row is complete, but with concurrent
   * writes rows may be from different moments.
   */
  discovered(world: WorldRef, box?: ChunkBox): AsyncIterable<DiscoveredRow>
  stats(world: WorldRef): Promise<ChunkStats>
  /** Moves a damaged record out of the world and keeps it for an operator. The column then counts as not generated. */
  setAside(world: WorldRef, pos: ChunkPos, fence: number): Promise<void>
  /** The records that were set aside, in no particular order. */
  listSetAside(world: WorldRef): AsyncIterable<ChunkRecord>
  close(): Promise<void>
}
