import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { createCheckQueue } from '../../../../realtime/game/players/check-queue.ts'

const createScene = (atOnce: number) => {
  const queue = createCheckQueue(atOnce)
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const gone = new Set<number>()
  return {
    begun,
    gone,
    end: async (who: number) => {
      ends.get(who)?.()
      await turn()
    },
    add: (who: number) =>
      queue.add({
        isWanted: () => !gone.has(who),
        run: () => {
          begun.push(who)
          return new Promise<void>((resolve) => ends.set(who, resolve))
        },
      }),
  }
}

it('checks a few at once, and the others in order of arrival', async () => {
  const { add, begun, end } = createScene(2)
  for (const who of [0, 1, 2, 3]) add(who)
  expect(begun).toEqual([0, 1])
  await end(1)
  expect(begun).toEqual([0, 1, 2])
  await end(0)
  expect(begun).toEqual([0, 1, 2, 3])
})

it('skips any number of clients that left before their check', async () => {
  const { add, begun, gone, end } = createScene(1)
  for (let who = 0; who < 5_000; who += 1) {
    add(who)
    if (who > 0) gone.add(who)
  }
  add(5_000)
  await end(0)
  expect(begun).toEqual([0, 5_000])
})
