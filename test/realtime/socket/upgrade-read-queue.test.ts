import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, it } from '@jest/globals'
import { upgradeHead } from '../../../bench/campaign/hostile/attack-sockets.ts'
import { createUpgradeReadQueue, hasLeft } from '../../../realtime/socket/upgrade-read-queue.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

/** Upgrades from an HTTP server, each with the client's end. */
const openUpgrades = async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return async (): Promise<{ client: Socket; stream: Duplex }> => {
    const client = connect(port, '127.0.0.1')
    client.write(upgradeHead())
    const [, stream] = await once(server, 'upgrade')
    cleanUps.push(() => {
      client.destroy()
      stream.destroy()
    })
    return { client, stream }
  }
}

/** Reads of a store that answers on request. */
const createSlowReads = () => {
  const begun: string[] = []
  const waiting: (() => void)[] = []
  const read = (name: string) => (): Promise<string> => {
    begun.push(name)
    return new Promise((resolve) => {
      waiting.push(() => resolve(name))
    })
  }
  return { begun, read, answer: () => waiting.shift()?.() }
}

it('reads for eight clients at a time, with fair order between addresses', async () => {
  const upgrade = await openUpgrades()
  const { begun, read, answer } = createSlowReads()
  const turns = createUpgradeReadQueue()
  const taken: Promise<string>[] = []
  const take = async (name: string, address: string) => {
    const { stream } = await upgrade()
    taken.push(turns.take({ stream, address }, read(name)))
  }
  for (let i = 0; i < 20; i += 1) await take(`many ${i}`, '192.0.2.1')
  await take('one', '198.51.100.7')
  expect(begun).toEqual(Array.from({ length: 8 }, (_, i) => `many ${i}`))
  answer()
  answer()
  await waitFor(() => begun.length === 10)
  expect(begun.slice(8)).toEqual(['many 8', 'one'])
  await waitFor(() => {
    answer()
    return begun.length === 21
  })
  for (let i = 0; i < 8; i += 1) answer()
  expect((await Promise.all(taken)).length).toBe(21)
})

it('counts the addresses of one /64 together, and refuses too many of one', async () => {
  const upgrade = await openUpgrades()
  const { read } = createSlowReads()
  const turns = createUpgradeReadQueue()
  for (let i = 0; i < 108; i += 1) {
    const { stream } = await upgrade()
    void turns.take({ stream, address: `2001:db8::${i}` }, read(`${i}`)).catch(() => undefined)
  }
  const late = await upgrade()
  await expect(turns.take({ stream: late.stream, address: '2001:db8::ffff' }, read('late'))).rejects.toMatchObject({
    kind: 'unavailable',
    retryAfterSeconds: 2,
  })
})

it.each(['end', 'destroy'] as const)('reads nothing for a client that has left by %s', async (how) => {
  const upgrade = await openUpgrades()
  const { begun, read, answer } = createSlowReads()
  const turns = createUpgradeReadQueue()
  for (let i = 0; i < 8; i += 1) void turns.take({ ...(await upgrade()), address: '192.0.2.1' }, read(`${i}`))
  const { client, stream } = await upgrade()
  const taken = turns.take({ stream, address: '192.0.2.1' }, read('of nobody'))
  client[how]()
  expect(hasLeft(await taken.catch((error) => error))).toBe(true)
  expect(hasLeft(await turns.take({ stream, address: '192.0.2.1' }, read('of nobody, again')).catch((error) => error))).toBe(true)
  answer()
  await turn()
  expect(begun).toHaveLength(8)
})

it('returns the stream unchanged', async () => {
  const upgrade = await openUpgrades()
  const { client, stream } = await upgrade()
  const { begun, read, answer } = createSlowReads()
  const taken = createUpgradeReadQueue().take({ stream, address: '192.0.2.1' }, read('zone'))
  await waitFor(() => begun.length === 1)
  answer()
  await taken
  let heard = ''
  let hasEnded = false
  stream.on('data', (piece) => {
    heard += String(piece)
  })
  stream.once('end', () => {
    hasEnded = true
  })
  client.write('after the answer')
  client.end(', and later')
  await waitFor(() => hasEnded)
  expect(heard).toBe('after the answer, and later')
})

it('reads nothing for a client that ends or pipelines before the answer', async () => {
  const upgrade = await openUpgrades()
  const { read } = createSlowReads()
  const turns = createUpgradeReadQueue()
  for (let i = 0; i < 8; i += 1) void turns.take({ ...(await upgrade()), address: '192.0.2.1' }, read(`${i}`))
  for (const how of ['write', 'end'] as const) {
    const { client, stream } = await upgrade()
    const taken = turns.take({ stream, address: '192.0.2.1' }, read('of nobody'))
    client[how]('too early')
    await expect(taken).rejects.toMatchObject({ kind: 'invalid' })
  }
})

it('gives up on a slot that does not come within five seconds', async () => {
  const upgrade = await openUpgrades()
  const { begun, read } = createSlowReads()
  const turns = createUpgradeReadQueue()
  for (let i = 0; i < 8; i += 1) void turns.take({ ...(await upgrade()), address: '192.0.2.1' }, read(`${i}`))
  const { stream } = await upgrade()
  await expect(turns.take({ stream, address: '198.51.100.7' }, read('late'))).rejects.toMatchObject({
    kind: 'unavailable',
    retryAfterSeconds: 2,
  })
  expect(begun).toHaveLength(8)
})
