import { describe, expect, it } from '@jest/globals'
import { createWalker } from '../../../play/game/walker.ts'
import type { Position } from '../../../sdk/client.ts'
import { createMover, findBlockRefusal, type SolidWorld } from '../../../sdk/world.ts'

const solids: SolidWorld = {
  loaded: { blockAt: (x, y, z) => (y < 64 || (x === 4 && y < 66 && z < 3) ? 1 : 0) },
  registry: { isSolid: (index) => index === 1 },
}
const still = { forward: 0, right: 0, jump: false, down: false, run: false, fly: false, stepUp: true }

/** A walker, and a server that checks each move with its real code. */
const open = () => {
  let nowMs = 0
  let seq = 0
  const start: Position = { x: 0.5, y: 64, z: 0.5, yaw: 0, pitch: 0 }
  const mover = createMover(solids, start, 0)
  const [sent, refused]: [Position[], string[]] = [[], []]
  let server = start
  const world = {
    mover,
    blocks: { solids } as never,
    moveTo: (to: Partial<Position>) => {
      const wanted = { ...mover.position(), ...to }
      const refusal = mover.refusalOf(wanted, nowMs)
      if (refusal !== undefined) return refusal
      seq += 1
      mover.moved(seq, wanted, nowMs)
      const answer = findBlockRefusal(solids, server, wanted)
      if (answer !== undefined) refused.push(answer)
      server = wanted
      sent.push(wanted)
      return undefined
    },
  }
  const walker = createWalker({ world, isFluid: () => false, now: () => nowMs })
  const pass = (ms: number, wanted: Partial<typeof still>, yaw = 0, frameMs = 16) => {
    for (const end = nowMs + ms; nowMs < end; ) {
      nowMs += frameMs
      walker.advance(nowMs, { ...still, ...wanted }, { yaw, pitch: 0 })
    }
  }
  return { walker, mover, pass, sent, refused, now: () => nowMs, lastSeq: () => seq }
}

describe('the walker', () => {
  it('sends its position about twenty times a second, and nothing while it stands', () => {
    const { pass, sent } = open()
    pass(1000, { forward: 1 }, 180)
    expect(sent.length).toBeGreaterThan(14)
    expect(sent.length).toBeLessThan(26)
    const before = sent.length
    pass(500, {})
    pass(1000, {})
    expect(sent.length - before).toBeLessThan(4)
  })

  it.each([16, 33, 90])('goes around corners without a refusal at %i ms a frame', (frameMs) => {
    const { pass, refused, walker } = open()
    for (const yaw of [0, 60, 75, 90, 30, 350, 200, 45, 10]) pass(700, { forward: 1, run: true, jump: yaw > 70 }, yaw, frameMs)
    expect(refused).toEqual([])
    expect(Math.hypot(walker.body().x, walker.body().z)).toBeGreaterThan(3)
  })

  it('smooths a small correction, and applies a teleport at once', () => {
    const { walker, mover, pass, now, lastSeq } = open()
    pass(400, { forward: 1 })
    const before = walker.view()
    const place = { ...mover.position(), z: 1.5 }
    mover.correct({ seq: lastSeq(), position: place, reason: 'blocked' }, now())
    walker.correct({ seq: lastSeq(), position: place, reason: 'blocked' })
    expect(walker.body().z).toBe(1.5)
    expect(walker.view().z).toBeCloseTo(before.z, 1)
    pass(800, {})
    expect(walker.view().z).toBeCloseTo(1.5, 2)
    const far = { ...mover.position(), x: 300 }
    mover.correct({ seq: lastSeq(), position: far, reason: 'teleport' }, now())
    walker.correct({ seq: lastSeq(), position: far, reason: 'teleport' })
    expect(walker.view().x).toBe(300)
  })

  it('stops at the edge of a closed zone, slides along it, and retries after a while', () => {
    const { walker, mover, pass, now, lastSeq, sent } = open()
    const west = { zoneId: 'vault', zoneName: 'Vault', cx: -1, cz: 0, yMin: 0, yMax: 255 }
    const place = mover.position()
    const correction = { seq: lastSeq(), position: place, reason: 'zone-closed', closed: west }
    mover.correct(correction, now())
    walker.correct(correction)
    pass(600, { forward: 1 }, 180)
    expect(walker.body().x).toBeGreaterThanOrEqual(0)
    expect(walker.body().x).toBeLessThan(0.4)
    pass(600, { forward: 1 }, 135)
    expect(walker.body().z).toBeGreaterThan(1.5)
    expect(walker.body().x).toBeGreaterThanOrEqual(0)
    expect(sent.every(({ x }) => x >= 0)).toBe(true)
    pass(1_500, { forward: 1 }, 180)
    expect(sent.some(({ x }) => x < 0)).toBe(true)
  })

  it('does not catch up on the time of a hidden page', () => {
    const { walker, pass } = open()
    pass(200, { forward: 1 })
    const before = walker.body().x
    pass(60_000, { forward: 1 }, 0, 60_000)
    expect(walker.body().x - before).toBeLessThan(1.5)
  })
})
