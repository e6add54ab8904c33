import { once } from 'node:events'
import { WebSocket } from 'ws'
import { createDataDir, type GatehouseProcess, signIn, startGatehouse } from '../gatehouse-process.ts'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, type BenchResult, percentile, round } from '../result.ts'

const repetitions = 100
const players = 20
const targetMs = 1_000

const limits =
  'http: {rateLimits: {signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000, requestsPerMinutePerToken: 1000000}}\n'

const groupsWith = (permissions: readonly string[]): string =>
  `groups:\n  - { name: player, permissions: [${permissions.join(', ')}] }\ndefaultGroups: [player]\n`

/** The two texts that saves alternate. */
const texts = [groupsWith(['command.who', 'command.say']), groupsWith(['command.who'])] as const

const claimAdministrator = async ({ url, claim }: GatehouseProcess): Promise<string> => {
  const response = await fetch(`${url}/auth/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ claim, email: 'boss@example.com', password: 'correct horse battery staple' }),
  })
  const body: unknown = await response.json()
  if (typeof body === 'object' && body !== null && 'token' in body) return String(body.token)
  throw new Error(`the claim answered ${response.status} ${JSON.stringify(body)}`)
}

/** A player in the game; `changed` resolves with the time of the next change of their permissions. */
const connectPlayer = async (url: string, token: string) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ connect: { token, protocolVersion: 1, clientName: 'bench' } }))
  await once(socket, 'message')
  return {
    changed: () =>
      new Promise<number>((resolve, reject) => {
        const onClose = (): void => reject(new Error('a player was closed'))
        const onMessage = (data: Buffer, isBinary: boolean): void => {
          if (isBinary || !data.includes('"permissionsChanged"')) return
          socket.off('message', onMessage).off('close', onClose)
          resolve(performance.now())
        }
        socket.on('message', onMessage).on('close', onClose)
      }),
    close: () => socket.terminate(),
  }
}

type Player = Awaited<ReturnType<typeof connectPlayer>>

const send = async (token: string, address: string, init: RequestInit): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/yaml' }
  const response = await fetch(address, { headers, ...init })
  if (response.status !== 200) throw new Error(`${address} answered ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

const describe = (what: string, times: readonly number[]): readonly BenchResult[] => {
  const p99 = percentile(times, 0.99)
  const common = { bench: 'config-propagation', unit: 'ms' }
  return [
    { ...common, figure: `${what}, p50`, value: round(percentile(times, 0.5), 1) },
    { ...common, figure: `${what}, p99`, value: round(p99, 1), target: `under ${targetMs}`, met: p99 < targetMs },
  ]
}

/** Saves groups.yaml and reloads through one process, until the last player in the other has the new commands. */
const measure = async (httpUrl: string, token: string, all: readonly Player[]): Promise<readonly BenchResult[]> => {
  const fromSave: number[] = []
  const fromReload: number[] = []
  for (let turn = 0; turn < repetitions; turn += 1) {
    const changed = Promise.all(all.map((player) => player.changed()))
    const savedAt = performance.now()
    await send(token, `${httpUrl}/api/admin/configs/groups.yaml`, { method: 'PUT', body: texts[turn % 2] ?? '' })
    const reloadedAt = performance.now()
    await send(token, `${httpUrl}/api/admin/reload`, { method: 'POST' })
    const last = Math.max(...(await changed))
    fromSave.push(last - savedAt)
    fromReload.push(last - reloadedAt)
  }
  const whom = `the last of ${players} players in another process`
  return [
    ...describe(`groups.yaml reloaded over HTTP, to ${whom}`, fromReload),
    ...describe(`groups.yaml saved and reloaded over HTTP, to ${whom}`, fromSave),
  ]
}

/**
 * Benchmarks a changed permission from an administrator's request to live sessions in another process, both on one Redis. It
 * cannot show a remote Redis.
 */
export const configPropagation: Bench = {
  name: 'config-propagation',
  run: async () => {
    const redis = await startBenchRedis()
    const data = await createDataDir({ 'server.yaml': limits, 'groups.yaml': groupsWith(['command.who']) })
    const environment = { REDIS_URL: redis.url, DATA_DIR: data.path }
    const realtime = await startGatehouse('realtime/main.ts', environment)
    const http = await startGatehouse('infra/http.ts', { ...environment, REALTIME_URL: realtime.url })
    const all: Player[] = []
    try {
      const token = await claimAdministrator(http)
      for (let n = 0; n < players; n += 1)
        all.push(await connectPlayer(http.url, await signIn(http.url, `player${n}@example.com`)))
      return await measure(http.url, token, all)
    } finally {
      for (const player of all) player.close()
      await http.stop()
      await realtime.stop()
      await redis.stop()
      await data.remove()
    }
  },
}
