import { expect, it } from '@jest/globals'
import { connectPatiently } from '../../../../support/redis/patient-redis.ts'
import { describeOwnRedis, startRedis } from '../../../../support/redis/redis.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

/** A connection, and the commands that ended on it. Failed ones have a `!`. */
const openWatched = (url: string) => {
  const ended: string[] = []
  const watch = (name: string) => (fault?: unknown) => void ended.push(fault === undefined ? name : `${name}!`)
  return { redis: connectPatiently(url, { watch }), ended }
}

for (const options of [{}, { cluster: true }]) {
  const where = options.cluster ? 'a Redis cluster' : 'a single Redis'
  describeOwnRedis(`a watcher of the commands for ${where}`, () => {
    it('receives each by name at its end, also in transactions, scripts and failures', async () => {
      const server = await startRedis(options)
      const { redis, ended } = openWatched(server.url)
      await redis.ask((client) => client.ping())
      ended.length = 0
      await redis.ask((client) => client.set('{one}:a', 'secret'))
      await redis.ask((client) => client.multi().get('{one}:a').incr('{one}:b').exec())
      await redis.ask((client) => client.eval('return 1', 1, '{one}:a'))
      const wrong = redis.ask((client) => client.incr('{one}:a'))
      await expect(wrong).rejects.toMatchObject({ kind: 'unavailable' })
      await waitFor(() => ended.includes('incr!'))
      const commands = ended.filter((name) => !['info', 'cluster', 'client'].includes(name))
      expect(commands).toEqual(['set', 'multi', 'get', 'incr', 'exec', 'eval', 'incr!'])
      await redis.close()
      await server.stop()
    })

    it('receives commands during an outage of Redis', async () => {
      const server = await startRedis(options)
      const { redis, ended } = openWatched(server.url)
      await redis.ask((client) => client.ping())
      await server.kill()
      await expect(redis.ask((client) => client.get('{one}:a'))).rejects.toMatchObject({ kind: 'unavailable' })
      await waitFor(() => ended.includes('get!'))
      await redis.close()
      await server.stop()
    })
  })
}
