import { describe, expect, it } from '@jest/globals'
import { createFrameSlab } from '../../../realtime/interest/outbox.ts'

const takeFilled = (slab: ReturnType<typeof createFrameSlab>, bytes: number, value: number): Buffer =>
  slab.take(bytes).fill(value)

describe('the memory of frames', () => {
  it('gives no byte to two frames of one tick, whatever their sizes', () => {
    const slab = createFrameSlab()
    const frames = Array.from({ length: 2000 }, (_, index) => takeFilled(slab, 1 + ((index * 37) % 40_000), index % 251))
    for (const [index, frame] of frames.entries()) expect(frame.every((byte) => byte === index % 251)).toBe(true)
  })

  it('is reused in the next tick', () => {
    const slab = createFrameSlab()
    const first = slab.take(100)
    slab.reuse()
    const second = slab.take(100)
    expect([second.buffer, second.byteOffset]).toEqual([first.buffer, first.byteOffset])
  })

  it('is not reused while the system may still read a frame of the tick', () => {
    const slab = createFrameSlab()
    const waiting = [100, 200_000, 30_000, 30_000, 250_000].map((bytes) => takeFilled(slab, bytes, 1))
    slab.keep()
    for (let tick = 0; tick < 3; tick++) {
      slab.reuse()
      for (let frame = 0; frame < 30; frame++) takeFilled(slab, 30_000, 2)
    }
    for (const frame of waiting) expect(frame.every((byte) => byte === 1)).toBe(true)
  })

  it('has a view that reaches every frame', () => {
    const slab = createFrameSlab()
    for (const frame of [slab.take(10), slab.take(50_000), slab.take(10)]) {
      slab.viewOf(frame).setUint8(frame.byteOffset, 7)
      expect(frame[0]).toBe(7)
    }
  })
})
