import type { Players } from '../protocol/generated/gatehouse.ts'
import { readMoves } from './read-moves.ts'

/** Another player in view: blocks, and degrees of yaw (0…360) and pitch (-90…90). */
export type SeenPlayer = {
  readonly playerId: string
  readonly displayName: string
  readonly x: number
  readonly y: number
  readonly z: number
  readonly yaw: number
  readonly pitch: number
}

/** The players in view and their places. */
export type PlayerPlaces = {
  /** Applies one Players message that arrived at `nowMs`: gone, then appeared, then moved. */
  apply(players: Players, nowMs: number): void
  /** All players at their last known places, by display name. */
  list(): readonly SeenPlayer[]
  find(playerId: string): SeenPlayer | undefined
  /**
   * All players as drawn at `nowMs`: 100 ms in the past, between two received places, and never beyond the last one. A step of
   * more than 8 blocks is a teleport and is not interpolated.
   */
  drawAt(nowMs: number): readonly SeenPlayer[]
  count(): number
  clear(): void
}

type Pose = { x: number; y: number; z: number; yaw: number; pitch: number }
type Sample = Pose & { atMs: number }
type Known = { readonly playerId: string; readonly displayName: string; readonly samples: Sample[] }

const behindMs = 100
/**
 * The server sends nothing about players who stand still. A move after more than `silenceMs` began `stepMs` before its message.
 * After a shorter silence the player may have been walking: distant steps are sent in every third tick.
 */
const stepMs = 50
const silenceMs = 225
const teleportBlocks = 8
/** More than ten within the delay of drawing only arrive after a stall of the network. */
const samplesMax = 12
const nowhere = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0 }

const between = (from: number, to: number, part: number): number => from + (to - from) * part

/** The shorter way around. */
const turn = (from: number, to: number, part: number): number => {
  const way = ((((to - from) % 360) + 540) % 360) - 180
  return (((from + way * part) % 360) + 360) % 360
}

const isFar = (from: Sample, to: Sample): boolean =>
  Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), Math.abs(to.z - from.z)) > teleportBlocks

/** Only one object, because this runs for a hundred players in every frame. */
const mix = ({ playerId, displayName }: Known, from: Pose, to: Pose, part: number): SeenPlayer => ({
  playerId,
  displayName,
  x: between(from.x, to.x, part),
  y: between(from.y, to.y, part),
  z: between(from.z, to.z, part),
  yaw: turn(from.yaw, to.yaw, part),
  pitch: between(from.pitch, to.pitch, part),
})

/** The place at a moment between sorted samples, of which there is at least one. */
const seenAt = (known: Known, atMs: number): SeenPlayer => {
  const { samples } = known
  let next = 0
  while (next < samples.length && (samples[next]?.atMs ?? 0) <= atMs) next += 1
  const to = samples[Math.min(next, samples.length - 1)]
  const from = next === samples.length ? to : samples[next - 1]
  if (to === undefined) return mix(known, nowhere, nowhere, 0)
  if (from === undefined || from === to) return mix(known, to, to, 0)
  if (isFar(from, to)) return mix(known, from, from, 0)
  return mix(known, from, to, (atMs - from.atMs) / (to.atMs - from.atMs))
}

const addSample = (samples: Sample[], sample: Sample): void => {
  const last = samples.at(-1)
  const silentMs = last === undefined ? 0 : sample.atMs - last.atMs
  // Starts at the drawn place, so that no player jumps.
  if (last !== undefined && silentMs > behindMs)
    samples.push({ ...last, atMs: sample.atMs - (silentMs > silenceMs ? stepMs : behindMs) })
  if (last !== undefined && sample.atMs <= last.atMs) samples.pop()
  samples.push(sample)
  // One sample before the drawn moment is enough.
  while (samples.length > 2 && (samples[1]?.atMs ?? 0) <= sample.atMs - behindMs * 2) samples.shift()
  if (samples.length > samplesMax) samples.shift()
}

export const createPlayerPlaces = (): PlayerPlaces => {
  const byRef = new Map<number, Known>()
  const seen = ({ playerId, displayName, samples }: Known, place = samples.at(-1)): SeenPlayer => {
    const { x, y, z, yaw, pitch } = place ?? nowhere
    return { playerId, displayName, x, y, z, yaw, pitch }
  }
  return {
    apply: ({ gone, appeared, cells }, nowMs) => {
      for (const ref of gone) byRef.delete(ref)
      for (const { ref, playerId, displayName, position = nowhere } of appeared) {
        const known = byRef.get(ref)
        const isSame = known?.playerId === playerId
        byRef.set(ref, { playerId, displayName, samples: isSame ? known.samples : [] })
        addSample(byRef.get(ref)?.samples ?? [], { ...position, atMs: nowMs })
      }
      for (const cell of cells)
        readMoves(cell, (ref, x, y, z, yaw, pitch) => {
          const known = byRef.get(ref)
          if (known !== undefined) addSample(known.samples, { x, y, z, yaw, pitch, atMs: nowMs })
        })
    },
    list: () => [...byRef.values()].map((known) => seen(known)).sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
    find: (playerId) => {
      for (const known of byRef.values()) if (known.playerId === playerId) return seen(known)
      return undefined
    },
    drawAt: (nowMs) => Array.from(byRef.values(), (known) => seenAt(known, nowMs - behindMs)),
    count: () => byRef.size,
    clear: () => byRef.clear(),
  }
}
