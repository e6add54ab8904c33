import { chunkKey } from '../../shared/rules/positions.ts'
import { Appeared, CellMoves } from '../protocol/generated/gatehouse.ts'

/** The width of a cell in blocks, as in `gatehouse.proto`. */
export const cellBlocks = 64

const chunkBlocks = 16

/** The cell coordinate of a block coordinate. */
const cellCoordinate = (blocks: number): number => Math.floor(blocks / cellBlocks)

/** The view radius in cells for a view radius in chunks. */
export const cellRadius = (chunks: number): number => Math.ceil((chunks * chunkBlocks) / cellBlocks)

/** The encoded moves of one cell for one tick and window: a range of the arena, or text. */
export type EncodedMoves = { tick: number; offset: number; length: number; entries: number; textTick: number; text: string }

/** The frame of all viewers in one cell with the same radius and kind of frame, built at most once a tick. */
export type ViewerGroup = {
  /** The last tick for which the frame was built. */
  tick: number
  /** Undefined if there are no changes. */
  frame: Uint8Array | undefined
  /** The number of moves in it. */
  entries: number
  /** Whether it has `appeared` or `gone` entries. */
  hasChanges: boolean
  /** A frame without moves for viewers that read too slowly. Built on demand. */
  changesTick: number
  changesFrame: Uint8Array | undefined
}

export const createViewerGroup = (): ViewerGroup => ({
  tick: -1,
  frame: undefined,
  entries: 0,
  hasChanges: false,
  changesTick: -1,
  changesFrame: undefined,
})

/** A square of the world that has bodies. */
export type Cell = {
  /** The index in arrays by cell. It is reused when the cell is empty. */
  readonly index: number
  readonly x: number
  readonly z: number
  readonly bodies: Body[]
  /** The last tick in which a body moved in or into the cell. */
  movedTick: number
  /** `CellMoves` without its moves. */
  readonly prefix: Uint8Array
  /** By window, see `moveWindows`. */
  readonly encoded: EncodedMoves[]
  /** The indexes of occupied cells in view from here, by radius. Created on demand. */
  readonly near: (number[] | undefined)[]
  /** The viewers in this cell with the same view, by radius and kind of frame. */
  readonly groups: (ViewerGroup | undefined)[]
}

const createEncoded = (): EncodedMoves => ({ tick: -1, offset: 0, length: 0, entries: 0, textTick: -1, text: '' })

/** A cell without bodies. */
const createCell = (index: number, x: number, z: number): Cell => ({
  index,
  x,
  z,
  bodies: [],
  movedTick: Number.MIN_SAFE_INTEGER,
  prefix: CellMoves.encode({ cell: { x, z }, moved: new Uint8Array(0) }).finish(),
  encoded: [createEncoded(), createEncoded(), createEncoded()],
  near: [],
  groups: [],
})

/** The distance in cells. A diagonal step counts as one. */
const cellDistance = (a: Cell, b: Cell): number => Math.max(Math.abs(a.x - b.x), Math.abs(a.z - b.z))

/** A place in blocks, with yaw (0 to 360) and pitch (-90 to 90) in degrees. */
export type Placement = { x: number; y: number; z: number; yaw: number; pitch: number }

/** The body of a player, as others see it. Its fields change in place, because thousands of bodies move twenty times a second. */
export type Body = Placement & {
  /** The number of this player in frames, equal for all viewers. */
  readonly ref: number
  readonly playerId: string
  displayName: string
  /** Absent while the body is not in the world. */
  cell: Cell | undefined
  /** The index among the bodies of its cell. */
  slot: number
  movedTick: number
  /** The tick of its last change of cell, join, leave or rename. */
  touchedTick: number
  /** The cell that viewers know, or `absent`. */
  toldX: number
  toldZ: number
  renamed: boolean
  /** The `Players.appeared` element with tag and length. Its position is that of `introTick`. */
  intro: Buffer
  introTick: number
}

/** A cell coordinate outside all views. */
export const absent = 0x7fffffff

const appearedTag = 0x1a
const positionTag = 0x22
const positionLength = 37
const positionFieldTags = [0x09, 0x11, 0x19] as const
const angleFieldTags = [0x25, 0x2d] as const

/** Encodes the element with a position of fixed length at its end, so that a move only rewrites numbers. */
const layOutIntro = (ref: number, playerId: string, displayName: string): Buffer => {
  const fixed = Appeared.encode({ ref, playerId, displayName }).finish()
  const length = fixed.length + 2 + positionLength
  const lengthBytes = length < 128 ? [length] : [(length & 127) | 128, length >>> 7]
  // Not from the pool of Node: a small slice would keep its whole 8 KiB block alive.
  const intro = Buffer.allocUnsafeSlow(1 + lengthBytes.length + length)
  intro.set([appearedTag, ...lengthBytes])
  intro.set(fixed, 1 + lengthBytes.length)
  intro.set([positionTag, positionLength], intro.length - positionLength - 2)
  return intro.fill(0, intro.length - positionLength)
}

const writePosition = (intro: Buffer, { x, y, z, yaw, pitch }: Placement): void => {
  let at = intro.length - positionLength
  at = intro.writeUInt8(positionFieldTags[0], at)
  at = intro.writeDoubleLE(x, at)
  at = intro.writeUInt8(positionFieldTags[1], at)
  at = intro.writeDoubleLE(y, at)
  at = intro.writeUInt8(positionFieldTags[2], at)
  at = intro.writeDoubleLE(z, at)
  at = intro.writeUInt8(angleFieldTags[0], at)
  at = intro.writeFloatLE(yaw, at)
  at = intro.writeUInt8(angleFieldTags[1], at)
  intro.writeFloatLE(pitch, at)
}

/** A body that is not in the world yet. */
export const createBody = (ref: number, playerId: string, displayName: string, at: Placement): Body => ({
  ref,
  playerId,
  displayName,
  x: at.x,
  y: at.y,
  z: at.z,
  yaw: at.yaw,
  pitch: at.pitch,
  cell: undefined,
  slot: 0,
  movedTick: Number.MIN_SAFE_INTEGER,
  touchedTick: -1,
  toldX: absent,
  toldZ: absent,
  renamed: false,
  intro: layOutIntro(ref, playerId, displayName),
  introTick: -1,
})

/** Renames the body. Viewers get a new `appeared`. */
export const renameBody = (body: Body, displayName: string): void => {
  body.displayName = displayName
  body.intro = layOutIntro(body.ref, body.playerId, displayName)
  body.introTick = -1
}

/** The `appeared` element of a body as of `tick`. It is encoded at most once a tick and valid until the next tick. */
export const introOf = (body: Body, tick: number): Buffer => {
  if (body.introTick < 0 || body.introTick < body.movedTick) writePosition(body.intro, body)
  body.introTick = tick
  return body.intro
}

/** The same as JSON text. */
export const introTextOf = (body: Body): string => {
  const { ref, playerId, displayName, x, y, z, yaw, pitch } = body
  return JSON.stringify(Appeared.toJSON({ ref, playerId, displayName, position: { x, y, z, yaw, pitch } }))
}

/** The occupied cells of the world, and the occupied cells in view of each. */
export type Cells = {
  find(x: number, z: number): Cell | undefined
  /** Moves a body to the cell of its position. */
  place(body: Body): void
  /** Removes a body from the world. */
  remove(body: Body): void
  /**
   * The indexes of occupied cells within `radius` of `cell`, including the cell, unordered. The list stays up to date. Do not
   * change it.
   */
  listNear(cell: Cell, radius: number): readonly number[]
  at(index: number): Cell
  /** The bodies in the cell of this position and in the neighbouring cells. */
  bodiesNear(x: number, z: number): Iterable<Body>
}

const removeFrom = (list: number[], index: number): void => {
  const last = list.pop()
  if (last === undefined || last === index) return
  const at = list.indexOf(index)
  if (at >= 0) list[at] = last
}

/** Starts without occupied cells. */
export const createCells = (): Cells => {
  const cells = new Map<number, Cell>()
  const byIndex: Cell[] = []
  const freeIndexes: number[] = []
  // The largest radius that was ever used. No list is larger.
  let reach = 0

  const forEachWithin = (cell: Cell, radius: number, visit: (other: Cell) => void): void => {
    for (let x = cell.x - radius; x <= cell.x + radius; x += 1)
      for (let z = cell.z - radius; z <= cell.z + radius; z += 1) {
        const other = cells.get(chunkKey(x, z))
        if (other !== undefined) visit(other)
      }
  }

  const occupy = (x: number, z: number): Cell => {
    const cell = createCell(freeIndexes.pop() ?? byIndex.length, x, z)
    byIndex[cell.index] = cell
    forEachWithin(cell, reach, (other) => {
      for (let radius = cellDistance(cell, other); radius <= reach; radius += 1) other.near[radius]?.push(cell.index)
    })
    cells.set(chunkKey(x, z), cell)
    return cell
  }

  const vacate = (cell: Cell): void => {
    cells.delete(chunkKey(cell.x, cell.z))
    freeIndexes.push(cell.index)
    forEachWithin(cell, reach, (other) => {
      for (let radius = cellDistance(cell, other); radius <= reach; radius += 1) {
        const list = other.near[radius]
        if (list !== undefined) removeFrom(list, cell.index)
      }
    })
  }

  const remove = (body: Body): void => {
    const { cell } = body
    if (cell === undefined) return
    body.cell = undefined
    const last = cell.bodies.pop()
    if (last !== undefined && last !== body) {
      cell.bodies[body.slot] = last
      last.slot = body.slot
    }
    if (cell.bodies.length === 0) vacate(cell)
  }

  return {
    find: (x, z) => cells.get(chunkKey(x, z)),
    place: (body) => {
      const x = cellCoordinate(body.x)
      const z = cellCoordinate(body.z)
      if (body.cell?.x === x && body.cell.z === z) return
      remove(body)
      const cell = cells.get(chunkKey(x, z)) ?? occupy(x, z)
      body.cell = cell
      body.slot = cell.bodies.push(body) - 1
    },
    remove,
    at: (index) => {
      const cell = byIndex[index]
      if (cell === undefined) throw new RangeError('No cell has that index.')
      return cell
    },
    bodiesNear: function* (x, z) {
      const [cellX, cellZ] = [cellCoordinate(x), cellCoordinate(z)]
      for (let nearX = cellX - 1; nearX <= cellX + 1; nearX += 1)
        for (let nearZ = cellZ - 1; nearZ <= cellZ + 1; nearZ += 1) yield* cells.get(chunkKey(nearX, nearZ))?.bodies ?? []
    },
    listNear: (cell, radius) => {
      const known = cell.near[radius]
      if (known !== undefined) return known
      reach = Math.max(reach, radius)
      const list: number[] = []
      forEachWithin(cell, radius, (other) => {
        list.push(other.index)
      })
      cell.near[radius] = list
      return list
    },
  }
}
