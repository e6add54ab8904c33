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

/** Who is in view and where. */
export type PlayerPlaces = {
  /** Takes in one Players message that came at `nowMs`: gone, then appeared, then moved. */
  apply(players: Players, nowMs: number): void
  /** Everybody as the server last told, by display name. */
  list(): readonly SeenPlayer[]
  find(playerId: string): SeenPlayer | undefined
  /**
   * Everybody as they are to be drawn at `nowMs`: 100 ms in the past, between two places that the server told of, and never beyond the
   * last one. A step of more than 8 blocks is a teleport, and not slid over.
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
 * The server is silent about those who stand still. A move after a longer silence than `silenceMs` began `stepMs` before it was told;
 * after a shorter one the player may have walked on unseen: far steps are told every second tick, in crowds every fourth.
 */
const stepMs = 50
const silenceMs = 225
const teleportBlocks = 8
/** More than ten arrive in the time that drawing lies behind only where the network held them back. */
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

/** One object each, since it is asked of a hundred players for every picture. */
const mix = ({ playerId, displayName }: Known, from: Pose, to: Pose, part: number): SeenPlayer => ({
  playerId,
  displayName,
  x: between(from.x, to.x, part),
  y: between(from.y, to.y, part),
  z: between(from.z, to.z, part),
  yaw: turn(from.yaw, to.yaw, part),
  pitch: between(from.pitch, to.pitch, part),
})

/** At a moment among samples in order, of which there is one at least. */
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
  // From where they are drawn by now, so that nobody jumps.
  if (last !== undefined && silentMs > behindMs)
    samples.push({ ...last, atMs: sample.atMs - (silentMs > silenceMs ? stepMs : behindMs) })
  if (last !== undefined && sample.atMs <= last.atMs) samples.pop()
  samples.push(sample)
  // Of those that lie behind what is drawn, one is enough to begin from.
  while (samples.length > 2 && (samples[1]?.atMs ?? 0) <= sample.atMs - behindMs * 2) samples.shift()
  if (samples.length > samplesMax) samples.shift()
}

/** Knows nobody yet. */
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
