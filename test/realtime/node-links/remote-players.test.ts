import { expect, it } from '@jest/globals'
import { rememberPlayers } from '../../../realtime/node-links/remote-players.ts'

it('queries the other nodes at most once a second, and again at once after a fault', async () => {
  let nowMs = 0
  let asked = 0
  let isAway = true
  const list = rememberPlayers(
    async () => {
      asked += 1
      if (isAway) throw new Error('away')
      return []
    },
    { monotonic: () => nowMs },
  )
  await expect(list()).rejects.toThrow('away')
  isAway = false
  await Promise.all([list(), list()])
  nowMs = 999
  await list()
  expect(asked).toBe(2)
  nowMs = 1_000
  await list()
  expect(asked).toBe(3)
})
