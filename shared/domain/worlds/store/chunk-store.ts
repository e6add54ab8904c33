import type { ChunkBox, ChunkPos } from '../../../rules/positions.ts'

/** Which world's chunks: the name says where they are, the id that they are this world's and not those of another of that name. */
export type WorldRef = { readonly name: string; readonly id: string }

/** A column as `encodeChunk` made it. */
export type ChunkRecord = ChunkPos & { readonly bytes: Uint8Array }

/** The generated columns of one `cx`, `czs` ascending. */
export type DiscoveredRow = { readonly cx: number; readonly czs: Int32Array }

/** A small record beside the columns of a world, by a key of lower-case letters, digits and slashes; without bytes it goes. */
export type SideWrite = { readonly key: string; readonly bytes: Uint8Array | undefined }

export type SideRecord = { readonly key: string; readonly bytes: Uint8Array }

/** At most `limit` of the records beside the columns, or all: those behind the key `after`, or the first. */
export type SidePage = { readonly after?: string | undefined; readonly limit?: number }

export type ChunkStats = {
  /** Generated columns. */
  readonly chunkCount: number
  /** What the world takes in the store. */
  readonly sizeBytes: number
}

/**
 * The columns of worlds as encoded records; it does not look into them. A world whose chunks are damaged, foreign, of a newer version or locked throws AppError `unavailable`, slug `world-unusable`, with the fault and the fix. One without chunks yet reads as empty.
 */
export type ChunkStore = {
  get(world: WorldRef, pos: ChunkPos): Promise<Uint8Array | undefined>
  /** In the order of `positions`. */
  getMany(world: WorldRef, positions: readonly ChunkPos[]): Promise<readonly (Uint8Array | undefined)[]>
  /**
   * All or nothing, and durable when it resolves; the columns count as discovered. The last of two records of a column counts; the bytes
   * must stay as they are until then. No records at all still raise the fence. `fence` is that of the writer's lease: throws
   * AppError `conflict`, slug `lease-lost`, when a later holder has written; `unavailable`, slug `storage-full`, when the disk is full.
   * At most eight records beside the columns are written with them, each of at most 350,000 bytes.
   */
  putMany(world: WorldRef, records: readonly ChunkRecord[], fence: number, beside?: readonly SideWrite[]): Promise<void>
  /** Records beside the columns, in the order of `keys`. */
  getSide(world: WorldRef, keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>
  /** The records beside the columns whose keys begin so, sorted by key; all of them without a page. */
  listSide(world: WorldRef, prefix: string, page?: SidePage): Promise<readonly SideRecord[]>
  has(world: WorldRef, pos: ChunkPos): Promise<boolean>
  /** In the order of `positions`; thousands cost a few milliseconds. */
  hasMany(world: WorldRef, positions: readonly ChunkPos[]): Promise<readonly boolean[]>
  /**
   * Sorted by cx; the memory it takes does not grow with the world, that of an adapter in memory apart. Rows may come from different
   * moments when somebody writes meanwhile, each whole.
   */
  discovered(world: WorldRef, box?: ChunkBox): AsyncIterable<DiscoveredRow>
  stats(world: WorldRef): Promise<ChunkStats>
  /** Takes a damaged record out of the world, where nobody reads it as terrain; it is kept for an operator. The column counts as not generated. */
  setAside(world: WorldRef, pos: ChunkPos, fence: number): Promise<void>
  /** What was set aside, in no order. */
  listSetAside(world: WorldRef): AsyncIterable<ChunkRecord>
  close(): Promise<void>
}
