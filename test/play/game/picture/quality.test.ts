import { expect, it } from '@jest/globals'
import { createAdapting, type Quality } from '../../../../play/game/picture/quality.ts'

const wished: Quality = { scale: 2, viewRadius: 8 }

/** Frames of one length for the given seconds. */
const run = (adapting: ReturnType<typeof createAdapting>, frameMs: number, seconds: number, from = 0): number => {
  let nowMs = from
  for (const end = from + seconds * 1000; nowMs < end; ) {
    nowMs += frameMs
    adapting.note(frameMs, nowMs)
  }
  return nowMs
}

it('reduces quality on a slow machine to a minimum of 4 columns', () => {
  const adapting = createAdapting(wished, () => true)
  run(adapting, 120, 60)
  expect(adapting.current()).toEqual({ scale: 0.4, viewRadius: 4 })
})

it('keeps the settings at a good frame rate', () => {
  const adapting = createAdapting(wished, () => true)
  run(adapting, 25, 60)
  expect(adapting.current()).toEqual(wished)
})

it('returns to the settings, and no further, when the machine is fast again', () => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60)
  run(adapting, 8, 300, nowMs)
  expect(adapting.current()).toEqual(wished)
})

it('returns to the settings on a screen of 60 Hz, and with a limit of 30 FPS', () => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60)
  run(adapting, 16.7, 400, nowMs)
  expect(adapting.current()).toEqual(wished)
  const later = run(adapting, 120, 60, nowMs + 400_000)
  for (let atMs = later; atMs < later + 400_000; atMs += 33.3) adapting.note(33.3, atMs, 1000 / 30)
  expect(adapting.current()).toEqual(wished)
})

it.each([30, 50])('returns to the settings on a screen of %i Hz', (hertz) => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60)
  run(adapting, 1000 / hertz, 400, nowMs)
  expect(adapting.current()).toEqual(wished)
})

it('returns to the settings on a phone that has started to save its battery', () => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60, run(adapting, 16.7, 60))
  run(adapting, 1000 / 30, 900, nowMs)
  expect(adapting.current()).toEqual(wished)
})

it('does not mistake a slower machine for a slower screen', () => {
  const adapting = createAdapting(wished, () => true)
  const nowMs = run(adapting, 120, 60, run(adapting, 16.7, 60))
  run(adapting, 1000 / 30, 90, nowMs)
  expect(adapting.current()).toEqual({ scale: 0.4, viewRadius: 4 })
})

it('ignores frames before and during a rest', () => {
  const adapting = createAdapting(wished, () => true)
  let nowMs = run(adapting, 120, 1)
  adapting.rest()
  nowMs += 60_000
  adapting.note(60_000, nowMs)
  nowMs = run(adapting, 16.7, 10, nowMs)
  expect(adapting.current()).toEqual(wished)
})

it('retries settings that were too high less and less often', () => {
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

it('does nothing when the player has switched it off', () => {
  const adapting = createAdapting(wished, () => false)
  run(adapting, 200, 60)
  expect(adapting.current()).toEqual(wished)
})
