import { expect, it, jest } from '@jest/globals'
import { createPlayerOrders } from '../../../../shared/domain/players/player-orders.ts'
import { systemIds as ids } from '../../../../shared/kernel/ids.ts'

const order = { kind: 'kick', reason: 'enough' } as const

it('gives up after two seconds when it cannot subscribe, and publishes nothing later', async () => {
  jest.useFakeTimers()
  let heal = () => {}
  const listening = new Promise<() => Promise<void>>((resolve) => {
    heal = () => resolve(async () => {})
  })
  const published: unknown[] = []
  const orders = createPlayerOrders({
    events: {
      subscribe: () => listening,
      publish: async (name) => void published.push(name),
    },
    ids,
  })
  const pending = [orders.send('ada', order), orders.send('bob', order)]
  await jest.advanceTimersByTimeAsync(2_000)
  expect(await Promise.all(pending)).toEqual([undefined, undefined])
  heal()
  await jest.advanceTimersByTimeAsync(0)
  expect(published).toEqual([])
  void orders.send('ada', order)
  await jest.advanceTimersByTimeAsync(0)
  expect(published).toEqual(['player-order'])
  await jest.advanceTimersByTimeAsync(2_000)
  jest.useRealTimers()
})

it('throws when it is not allowed to subscribe', async () => {
  const orders = createPlayerOrders({
    events: {
      subscribe: async () => {
        throw new Error('closed')
      },
      publish: async () => undefined,
    },
    ids,
  })
  await expect(orders.send('ada', order)).rejects.toThrow('closed')
})
