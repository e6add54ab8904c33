import type { Correction, Position } from '../../sdk/client.ts'
import { findBlockRefusal, type WatchedWorld } from '../../sdk/world.ts'
import { type Body, type Intent, type StepWorld, stepBody } from './step-body.ts'

export type Look = { readonly yaw: number; readonly pitch: number }

/** The player's own body: ahead of the server, and never where the server would not have it. */
export type Walker = {
  /** Lets the time until `nowMs` pass. */
  advance(nowMs: number, intent: Omit<Intent, 'yaw'>, look: Look): void
  /** Tells the server where one is at this moment, without waiting for the next time. */
  tell(): void
  /** Where to draw from, between two steps. */
  view(): { readonly x: number; readonly y: number; readonly z: number }
  body(): Body
  /** From Welcome. */
  begin(): void
  /** After the world's mover took it in. */
  correct(correction: Correction): void
}

const stepSeconds = 1 / 60
/** After a longer pause, as of a page that was hidden, the time in between is not made up for. */
const stepsMax = 8
const sendMs = 50
/** How fast a jump of the place is made good on the screen. */
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
  // What is still to be made good on the screen.
  let ease = { x: 0, y: 0, z: 0 }
  let look: Look = world.mover.position()

  const send = (): void => {
    const { x, y, z } = body
    const sent = world.mover.position()
    const isSame = sent.x === x && sent.y === y && sent.z === z && sent.yaw === look.yaw && sent.pitch === look.pitch
    // Twenty times a second on average, whatever the pictures' rhythm.
    sentMs = Math.max(sentMs + sendMs, now() - sendMs)
    if (isSame) return
    const refusal = world.moveTo({ x, y, z, yaw: look.yaw, pitch: look.pitch })
    // Whatever the reason, the place that both agree on is the better one to go on from; too fast passes by itself.
    if (refusal !== undefined && refusal !== 'too-fast' && refusal !== 'not-connected') jumpTo(standing(sent))
  }
  const jumpTo = (to: Body): void => {
    ease = { x: ease.x + body.x - to.x, y: ease.y + body.y - to.y, z: ease.z + body.z - to.z }
    body = to
    before = to
  }
  /** At the edge of a zone that is closed one goes along it, and is not put back again and again. */
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
    // Several steps are told as one; before one around a corner, which could not be, the way up to it is told.
    if (findBlockRefusal(steps.solids, world.mover.position(), next) !== undefined) send()
    before = body
    // Up a block at once for the server, and within a moment on the screen.
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
      // Nobody slides through the land to where they were sent.
      if (reason === 'teleport' || Math.hypot(ease.x, ease.y, ease.z) > 8) ease = { x: 0, y: 0, z: 0 }
    },
  }
}
