import { expect, it } from '@jest/globals'
import { createAdapting, type Quality } from '../../../../play/game/picture/quality.ts'

const wished: Quality = { scale: 2, viewRadius: 8 }

/** Pictures of one length for so many seconds. */
const run = (adapting: ReturnType<typeof createAdapting>, frameMs: number, seconds: number, from = 0): number => {
  let nowMs = from
  for (const end = from + seconds * 1000; nowMs < end; ) {
    nowMs += frameMs
    adapting.note(frameMs, nowMs)
  }
  return nowMs
}

it('draws less on a slow machine until it is as little as can be, and never less than 4 columns', () => {
  const adapting = createAdapting(wished, () => true)
  run(adapting, 120, 60)
  expect(adapting.current()).toEqual({ scale: 0.4, viewRadius: 4 })
})

it('leaves alone what is fast enough', () => {
  const adapting = createAdapting(wished, () => true)
  run(adapting, 25, 60)
  expect(adapting.current()).toEqual(wished)
})

it('comes back to what was wished, and no further, when the machine has become fast', () => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60)
  run(adapting, 8, 300, nowMs)
  expect(adapting.current()).toEqual(wished)
})

it('comes back on a screen that shows no more than 60 pictures a second, and where a player wants 30', () => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60)
  run(adapting, 16.7, 400, nowMs)
  expect(adapting.current()).toEqual(wished)
  const later = run(adapting, 120, 60, nowMs + 400_000)
  for (let atMs = later; atMs < later + 400_000; atMs += 33.3) adapting.note(33.3, atMs, 1000 / 30)
  expect(adapting.current()).toEqual(wished)
})

it.each([30, 50])('comes back on a screen that shows %i pictures a second', (hertz) => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60)
  run(adapting, 1000 / hertz, 400, nowMs)
  expect(adapting.current()).toEqual(wished)
})

it('comes back on a phone that has begun to save its battery', () => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60, run(adapting, 16.7, 60))
  run(adapting, 1000 / 30, 900, nowMs)
  expect(adapting.current()).toEqual(wished)
})

it('takes a machine that has become slower for no slower screen', () => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60, run(adapting, 16.7, 60))
  run(adapting, 1000 / 30, 90, nowMs)
  expect(adapting.current()).toEqual({ scale: 0.4, viewRadius: 4 })
})

it('judges nothing of what was shown before and during a rest', () => {
  const adapting = createAdapting(wished, () => true)
  let nowMs = run(adapting, 120, 1)
  adapting.rest()
  nowMs += 60_000
  adapting.note(60_000, nowMs)
  nowMs = run(adapting, 16.7, 10, nowMs)
  expect(adapting.current()).toEqual(wished)
})

it('tries ever less often what was too much', () => {
  const adapting = createAdapting(wished, () => true)
  const changes: number[] = []
  let nowMs = run(adapting, 120, 60)
  for (const end = nowMs + 3_600_000; nowMs < end; ) {
    const frameMs = adapting.current().scale > 0.4 || adapting.current().viewRadius > 4 ? 60 : 16.7
    nowMs += frameMs
    if (adapting.note(frameMs, nowMs) !== undefined) changes.push(nowMs)
  }
  expect(changes.length).toBeGreaterThan(8)
  expect(changes.length).toBeLessThan(50)
  expect((changes.at(-1) ?? 0) - (changes.at(-3) ?? 0)).toBeGreaterThan(200_000)
})

it('does nothing where the player does not want it', () => {
  const adapting = createAdapting(wished, () => false)
  run(adapting, 200, 60)
  expect(adapting.current()).toEqual(wished)
})
