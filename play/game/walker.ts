import type { Correction, Position } from '../../sdk/client.ts'
import { findBlockRefusal, type WatchedWorld } from '../../sdk/world.ts'
import { type Body, type Intent, type StepWorld, stepBody } from './step-body.ts'

export type Look = { readonly yaw: number; readonly pitch: number }

/** The player's own body. It is ahead of the server, and stays where the server allows it. */
export type Walker = {
  /** Advances to `nowMs`. */
  advance(nowMs: number, intent: Omit<Intent, 'yaw'>, look: Look): void
  /** Sends the current position at once. */
  tell(): void
  /** The interpolated position for drawing. */
  view(): { readonly x: number; readonly y: number; readonly z: number }
  body(): Body
  /** From Welcome. */
  begin(): void
  /** Call after the world's mover has applied the move. */
  correct(correction: Correction): void
}

const stepSeconds = 1 / 60
/** After a long pause, as of a hidden page, the missed time is skipped. */
const stepsMax = 8
const sendMs = 50
/** How fast the screen smooths a jump of the position. */
const easeSeconds = 0.12

export type WalkerOptions = {
  readonly world: Pick<WatchedWorld, 'mover' | 'moveTo' | 'blocks'>
  readonly isFluid: StepWorld['isFluid']
  readonly now: () => number
}

const standing = ({ x, y, z }: Position): Body => ({ x, y, z, vy: 0, onGround: false })

export const createWalker = ({ world, isFluid, now }: WalkerOptions): Walker => {
  const steps: StepWorld = { solids: world.blocks.solids, isFluid }
  let body = standing(world.mover.position())
  let before = body
  let leftSeconds = 0
  let lastMs = now()
  let sentMs = 0
  // The remaining offset to smooth.
  let ease = { x: 0, y: 0, z: 0 }
  let look: Look = world.mover.position()

  const send = (): void => {
    const { x, y, z } = body
    const sent = world.mover.position()
    const isSame = sent.x === x && sent.y === y && sent.z === z && sent.yaw === look.yaw && sent.pitch === look.pitch
    // Twenty times a second on average, at any frame rate.
    sentMs = Math.max(sentMs + sendMs, now() - sendMs)
    if (isSame) return
    const refusal = world.moveTo({ x, y, z, yaw: look.yaw, pitch: look.pitch })
    // For any reason, the agreed position is the better start. Moving too fast resolves itself.
    if (refusal !== undefined && refusal !== 'too-fast' && refusal !== 'not-connected') jumpTo(standing(sent))
  }
  const jumpTo = (to: Body): void => {
    ease = { x: ease.x + body.x - to.x, y: ease.y + body.y - to.y, z: ease.z + body.z - to.z }
    body = to
    before = to
  }
  /** At a closed zone the player slides along its edge instead of being set back repeatedly. */
  const stayOutside = (to: Body): Body => {
    const isClosed = (way: Body): boolean => world.mover.refusalOf(way, now()) === 'zone-closed'
    if (!isClosed(to)) return to
    const ways = [
      { ...to, x: body.x },
      { ...to, z: body.z },
      { ...to, x: body.x, z: body.z },
    ]
    const isAllowed = (way: Body): boolean => !isClosed(way) && findBlockRefusal(steps.solids, body, way) === undefined
    return ways.find(isAllowed) ?? { ...body, vy: 0 }
  }
  const step = (intent: Intent): void => {
    const wanted = stepBody(steps, body, intent, stepSeconds)
    const next = stayOutside(wanted)
    // Sends several steps as one. Before an impossible one around a corner, sends the way to the corner.
    if (findBlockRefusal(steps.solids, world.mover.position(), next) !== undefined) send()
    before = body
    // A step up is instant for the server, and smoothed on the screen.
    if (next.onGround && body.onGround && next.y > body.y + 0.5) {
      ease = { ...ease, y: ease.y - (next.y - body.y) }
      before = { ...body, y: next.y }
    }
    body = next
  }

  return {
    advance: (nowMs, wanted, looked) => {
      look = looked
      const seconds = Math.min(0.25, Math.max(0, (nowMs - lastMs) / 1000))
      leftSeconds += seconds
      lastMs = nowMs
      for (let count = 0; leftSeconds >= stepSeconds; count += 1) {
        leftSeconds -= stepSeconds
        if (count < stepsMax) step({ ...wanted, yaw: looked.yaw })
      }
      const kept = Math.exp(-seconds / easeSeconds)
      ease = { x: ease.x * kept, y: ease.y * kept, z: ease.z * kept }
      if (nowMs - sentMs >= sendMs) send()
    },
    tell: send,
    view: () => {
      const part = leftSeconds / stepSeconds
      return {
        x: before.x + (body.x - before.x) * part + ease.x,
        y: before.y + (body.y - before.y) * part + ease.y,
        z: before.z + (body.z - before.z) * part + ease.z,
      }
    },
    body: () => body,
    begin: () => {
      body = standing(world.mover.position())
      before = body
      ease = { x: 0, y: 0, z: 0 }
    },
    correct: ({ reason }) => {
      const to = { ...standing(world.mover.position()), vy: reason === 'teleport' ? 0 : body.vy }
      jumpTo(to)
      // A teleport is not smoothed.
      if (reason === 'teleport' || Math.hypot(ease.x, ease.y, ease.z) > 8) ease = { x: 0, y: 0, z: 0 }
    },
  }
}
