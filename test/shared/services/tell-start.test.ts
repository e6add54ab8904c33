import { describe, expect, it } from '@jest/globals'
import { tellStart } from '../../../shared/services/tell-start.ts'

const start = async (answers: readonly boolean[], redisUrl?: string, holders: readonly Record<string, string>[] = []) => {
  const output: string[] = []
  let calls = 0
  const ping = async () => {
    calls += 1
    if (answers[calls - 1] === false) throw new Error('away')
  }
  await tellStart({
    redisUrl,
    tokens: { ping } as Parameters<typeof tellStart>[0]['tokens'],
    baseUrl: 'http://127.0.0.1:3001',
    node: { whenRunning: async (standsBy) => holders.forEach(standsBy) },
    write: (text) => output.push(text),
  })
  return { said: output, asked: calls }
}

describe('the output of a start that waits', () => {
  it('names the address of Redis once, without user and password', async () => {
    const { said, asked } = await start([false, false, false, true], 'redis://anna:secret@redis.example:6380/2')
    expect(said).toEqual(['Gatehouse is up at http://127.0.0.1:3001 and waiting for Redis at redis.example:6380 (REDIS_URL).\n'])
    expect(asked).toBe(4)
  })

  it('names the worlds it is a standby for, and their nodes', async () => {
    const { said } = await start([true], 'unix:///run/redis.sock', [
      { default: 'node-1' },
      { default: 'node-2', arena: 'node-3' },
    ])
    expect(said).toEqual([
      'Gatehouse stands by at http://127.0.0.1:3001 for world "default", which node-1 runs.\n',
      'Gatehouse stands by at http://127.0.0.1:3001 for world "default", which node-2 runs, and world "arena", which node-3 runs.\n',
    ])
  })

  it('is empty when there is nothing to wait for', async () => {
    expect(await start([])).toEqual({ said: [], asked: 0 })
  })
})
