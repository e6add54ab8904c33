import { expect, it } from '@jest/globals'
import { createAdapting, type Quality } from '../../../play/game/quality.ts'

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

it('does nothing where the player does not want it', () => {
  const adapting = createAdapting(wished, () => false)
  run(adapting, 200, 60)
  expect(adapting.current()).toEqual(wished)
})
