import { expect, it } from '@jest/globals'
import { signal } from '@preact/signals'
import { createHands, type HandsOptions, isFluid } from '../../../play/game/hands.ts'
import { defaultSettings } from '../../../play/state/settings.ts'

/** Stone below y = 1, under a player who looks down at it. */
const createScene = () => {
  const done: string[] = []
  const stone = { index: 1, id: 'stone', colour: 0, solid: true }
  const air = { index: 0, id: 'air', colour: 0, solid: false }
  const options = {
    session: {
      on: () => () => undefined,
      edit: async () => {
        done.push('edit')
        return { ok: true, reason: '' }
      },
    },
    blocks: { blockAt: (_x: number, y: number) => (y < 1 ? stone : air), placeable: () => [stone] },
    ground: { show: () => done.push('show') },
    hud: { isInspecting: signal(false), slot: signal(0), swings: signal(0), refuse: () => undefined },
    settings: signal(defaultSettings),
    sounds: { play: () => undefined },
    place: () => ({ x: 0.5, y: 1, z: 0.5, yaw: 0, pitch: -60 }),
    tellPlace: () => done.push('place'),
    inspect: () => undefined,
    crumble: () => undefined,
  } as unknown as HandsOptions
  return { hands: createHands(options), done }
}

it('sends the position before an edit, and shows the edit after both', () => {
  const { hands, done } = createScene()
  hands.act('break', 1_000)
  expect(done).toEqual(['place', 'edit', 'show'])
})

it('clicks no faster than the server accepts edits, after a short burst', () => {
  const { hands, done } = createScene()
  for (let nowMs = 1_000; nowMs < 6_000; nowMs += 20) hands.act('break', nowMs)
  const edits = done.filter((what) => what === 'edit').length
  expect(edits).toBeGreaterThan(40)
  expect(edits).toBeLessThan(50)
})

it('swims only in blocks that are not solid', () => {
  expect(isFluid({ id: 'water', solid: false })).toBe(true)
  expect(isFluid({ id: 'watermelon', solid: true })).toBe(false)
})
