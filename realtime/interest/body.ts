import { Appeared } from '../protocol/generated/gatehouse.ts'
import type { Cell } from './cell.ts'

/** A place in the world: blocks, and degrees of yaw (0 to 360) and pitch (-90 to 90). */
export type Placement = { x: number; y: number; z: number; yaw: number; pitch: number }

/** A player's body in the world, as others see it. Fields change in place: thousands of these move twenty times a second. */
export type Body = Placement & {
  /** What stands for this player in frames; the same for every viewer. */
  readonly ref: number
  readonly playerId: string
  displayName: string
  /** Absent while the body is not in the world. */
  cell: Cell | undefined
  /** Where it is among its cell's bodies. */
  slot: number
  movedTick: number
  /** The tick of its last change of cell, join, leave or rename. */
  touchedTick: number
  /** The cell as viewers were last told; `absent` for none. */
  toldX: number
  toldZ: number
  renamed: boolean
  /** `Players.appeared` element with tag and length, its position up to date as of `introTick`. */
  intro: Buffer
  introTick: number
}

/** A cell coordinate that no viewer ever sees. */
export const absent = 0x7fffffff

const appearedTag = 0x1a
const positionTag = 0x22
const positionLength = 37
const positionFieldTags = [0x09, 0x11, 0x19] as const
const angleFieldTags = [0x25, 0x2d] as const

/** The element with room for a position of fixed length at its end, so that a move rewrites numbers and nothing else. */
const layOutIntro = (ref: number, playerId: string, displayName: string): Buffer => {
  const fixed = Appeared.encode({ ref, playerId, displayName }).finish()
  const length = fixed.length + 2 + positionLength
  const lengthBytes = length < 128 ? [length] : [(length & 127) | 128, length >>> 7]
  return Buffer.concat([
    Buffer.from([appearedTag, ...lengthBytes]),
    fixed,
    Buffer.from([positionTag, positionLength]),
    Buffer.alloc(positionLength),
  ])
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

/** A body that is nowhere yet. */
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

/** Gives the body another name; viewers are told by a new `appeared`. */
export const renameBody = (body: Body, displayName: string): void => {
  body.displayName = displayName
  body.intro = layOutIntro(body.ref, body.playerId, displayName)
  body.introTick = -1
}

/** The body's `appeared` element as of `tick`, encoded at most once a tick; the bytes are good until the next. */
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
