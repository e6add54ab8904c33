import { describe, expect, it } from '@jest/globals'
import { createRedisEventBus } from '../../../../../shared/platform/events/redis/redis-events.ts'
import { eventBusContract } from '../../../../contracts/event-bus-contract.ts'
import { describeEachRedis } from '../../../../support/redis/redis-suites.ts'
import { createCapturedLog, silentLog } from '../../../../support/time/silent-log.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

describeEachRedis((name, connect) => {
  eventBusContract(name, async (log) => {
    const redisHere = connect({ log })
    const redisThere = connect({ log, prefix: redisHere.prefix })
    const here = createRedisEventBus({ redis: redisHere, log })
    const there = createRedisEventBus({ redis: redisThere, log })
    return {
      here,
      there,
      close: async () => {
        await Promise.all([here.close(), there.close()])
        await Promise.all([redisHere.close(), redisThere.close()])
      },
    }
  })

  describe('received events', () => {
    it('are dropped and logged without their content when they are garbage', async () => {
      const { log, lines } = createCapturedLog()
      const redis = connect()
      const bus = createRedisEventBus({ redis, log })
      const received: unknown[] = []
      await bus.subscribe('account-changed', (event) => void received.push(event))
      const garbage = [
        '',
        'not json gibberish',
        'null',
        '[]',
        '{}',
        '{"playerId":1,"email":"x"}',
        '{"playerId":"gibberish"}',
        '\u0000',
        // The format is valid, but the size exceeds what is read.
        JSON.stringify({ playerId: 'p2', email: 'ben@example.com', more: 'x'.repeat(2_097_152) }),
      ]
      for (const text of garbage) await redis.ask((client) => client.publish(`${redis.prefix}event:account-changed`, text))
      const event = { playerId: 'p1', email: 'ann@example.com' }
      await bus.publish('account-changed', event)
      await waitFor(() => received.length > 0)
      expect(received).toEqual([event])
      await waitFor(() => lines.filter(({ topic }) => topic === 'account-changed').length === garbage.length)
      expect(JSON.stringify(lines)).not.toContain('gibberish')
      await bus.close()
      await redis.close()
    })

    it('are dropped in a short log line when they are too long or have control characters', async () => {
      const { log, lines } = createCapturedLog()
      const redis = connect()
      const bus = createRedisEventBus({ redis, log })
      const received: unknown[] = []
      const line = { channel: 'global', from: 'Ann', text: 'x'.repeat(512) }
      const chat = (said: unknown, nodeId = 'n1') => ['chat-said', { nodeId, lines: said }] as const
      const garbage = [
        chat([{ ...line, text: 'x'.repeat(513) }]),
        chat([{ ...line, text: '\u001b[2J' }]),
        chat([{ ...line, text: '' }]),
        chat([{ ...line, from: 'Ann\nBob' }]),
        chat([{ ...line, channel: 'Global' }]),
        chat([line, { channel: 'global' }]),
        chat(Array.from({ length: 2001 }, () => ({ ...line, text: 'hi' }))),
        chat(Array.from({ length: 50_000 }, () => ({}))),
        chat([line], 'n'.repeat(65)),
        chat([{ ...line, text: 'x'.repeat(2_100_000) }]),
        ['player-kick', { id: 'k', playerId: 'p', reason: 'x'.repeat(513) }],
        ['player-connected', { playerId: 'p', nodeId: 'n', at: 0.5 }],
        ['player-connected', { playerId: 'p', nodeId: 'n', at: -1 }],
      ] as const
      await bus.subscribe('chat-said', (event) => void received.push(event))
      await bus.subscribe('player-connected', (event) => void received.push(event))
      await bus.subscribe('player-kick', (event) => void received.push(event))
      for (const [topic, event] of garbage)
        await redis.ask((client) => client.publish(`${redis.prefix}event:${topic}`, JSON.stringify(event)))
      await bus.publish('chat-said', { nodeId: 'n1', lines: [line] })
      await waitFor(() => received.length > 0)
      expect(received).toEqual([{ nodeId: 'n1', lines: [line] }])
      await waitFor(() => lines.filter(({ topic }) => topic !== undefined).length === garbage.length)
      expect(JSON.stringify(lines).length).toBeLessThan(50_000)
      await bus.close()
      await redis.close()
    })

    it('are not delivered to buses of another prefix', async () => {
      const [ours, theirs] = [connect(), connect()]
      const [bus, stranger] = [ours, theirs].map((redis) => createRedisEventBus({ redis, log: silentLog }))
      const received: unknown[] = []
      await bus?.subscribe('configs-reloaded', (event) => void received.push(event))
      await stranger?.publish('configs-reloaded', { names: ['theirs'] })
      await bus?.publish('configs-reloaded', { names: ['ours'] })
      await waitFor(() => received.length > 0)
      expect(received).toEqual([{ names: ['ours'] }])
      await Promise.all([bus?.close(), stranger?.close()])
      await Promise.all([ours.close(), theirs.close()])
    })
  })
})
