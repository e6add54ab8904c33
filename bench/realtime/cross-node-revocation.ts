import { once } from 'node:events'
import { WebSocket } from 'ws'
import { createDataDir, type GatehouseProcess, signIn, startGatehouse } from '../gatehouse-process.ts'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, type BenchResult, percentile, round } from '../result.ts'

const repetitions = 200
const targetMs = 100
const banTargetMs = 200

const serverConfig = `auth: {local: {bcryptCost: 10}}
http: {rateLimits: {signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000, requestsPerMinutePerToken: 1000000}}
`
const levelGround = 'generator: flat-1\nflat: { layers: [{ block: stone, height: 63 }, { block: grass, height: 1 }] }\n'
const groups = `groups:
  - { name: player, permissions: [command.who] }
  - { name: painter, permissions: [command.say] }
defaultGroups: [player]
`

type Message = Record<string, unknown>

const findPart = (message: Message, name: string): Message | undefined => {
  const part = message[name]
  return typeof part === 'object' && part !== null ? { ...part } : undefined
}

/** A player in the game, with text frames; each wait resolves with the time at which its condition became true. */
const connectPlayer = async (url: string, token: string) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ connect: { token, protocolVersion: 1, clientName: 'bench' } }))
  await once(socket, 'message')
  return {
    send: (message: Message) => socket.send(JSON.stringify(message)),
    next: (name: string) =>
      new Promise<{ readonly at: number; readonly value: Message }>((resolve) => {
        const look = (data: Buffer, isBinary: boolean): void => {
          const value = isBinary ? undefined : findPart(JSON.parse(data.toString()), name)
          if (value === undefined) return
          socket.off('message', look)
          resolve({ at: performance.now(), value })
        }
        socket.on('message', look)
      }),
    closed: async (code: number): Promise<number> => {
      const [closedWith] = await once(socket, 'close')
      if (closedWith !== code) throw new Error(`closed with ${closedWith} instead of ${code}`)
      return performance.now()
    },
    leave: () => socket.terminate(),
  }
}

type Player = Awaited<ReturnType<typeof connectPlayer>>

const ask = async (token: string, method: string, address: string, body?: unknown): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(address, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${address} answered ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

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

const describe = (what: string, times: readonly number[], promisedMs = targetMs): readonly BenchResult[] => {
  const p99 = percentile(times, 0.99)
  const common = { bench: 'cross-node-revocation', unit: 'ms' }
  return [
    { ...common, figure: `${what}, p50`, value: round(percentile(times, 0.5), 1) },
    {
      ...common,
      figure: `${what}, p99`,
      value: round(p99, 1),
      ...(promisedMs === 0 ? {} : { target: `under ${promisedMs}`, met: p99 < promisedMs }),
    },
  ]
}

const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 50))

const repeat = async (measure: (turn: number) => Promise<number>): Promise<number[]> => {
  const times: number[] = []
  for (let turn = 0; turn < repetitions; turn += 1) {
    // A random pause, so that requests are not in step with ticks.
    await pause()
    times.push(await measure(turn))
  }
  return times
}

type Scene = { readonly httpUrl: string; readonly here: string; readonly there: string; readonly boss: string }

/** The time from a change of the player's groups over HTTP, and from its answer, until the client knows its new permissions. */
const measureGroups = async ({ httpUrl, boss }: Scene, player: Player, email: string) => {
  const fromAnswer: number[] = []
  const fromRequest = await repeat(async (turn) => {
    const changed = player.next('permissionsChanged')
    const startedAt = performance.now()
    await ask(boss, 'PUT', `${httpUrl}/api/admin/users/${email}`, { groups: turn % 2 === 0 ? ['player', 'painter'] : ['player'] })
    const answeredAt = performance.now()
    const { at } = await changed
    fromAnswer.push(Math.max(0, at - answeredAt))
    return at - startedAt
  })
  return [
    ...describe('groups changed over HTTP, request to rights in force on a node', fromRequest),
    ...describe('groups changed over HTTP, answer to rights in force on a node', fromAnswer),
  ]
}

/** The same time after a command on one node, from its answer. */
const measureCommand = (chief: Player, player: Player, email: string) =>
  repeat(async (turn) => {
    const changed = player.next('permissionsChanged')
    const answered = chief.next('commandResult')
    chief.send({ command: { seq: turn, text: `/rbac:${turn % 2 === 0 ? 'setgroup' : 'removegroup'} ${email} painter` } })
    const { at, value } = await answered
    if (value.ok !== true) throw new Error(`the command was refused: ${JSON.stringify(value)}`)
    return Math.max(0, (await changed).at - at)
  })

/** The time from a logout over HTTP to the end of the session on the node. */
const measureLogout = ({ httpUrl, there }: Scene) =>
  repeat(async (turn) => {
    const token = await signIn(httpUrl, `leaver${turn}@example.com`)
    const player = await connectPlayer(there, token)
    const closed = player.closed(4003)
    await pause()
    const startedAt = performance.now()
    await ask(token, 'POST', `${httpUrl}/auth/logout`)
    return (await closed) - startedAt
  })

/** The time from a ban over HTTP to the end of the session on the node. */
const measureBan = ({ httpUrl, there, boss }: Scene) =>
  repeat(async (turn) => {
    const email = `banned${turn}@example.com`
    const player = await connectPlayer(there, await signIn(httpUrl, email))
    const closed = player.closed(4003)
    await pause()
    const startedAt = performance.now()
    await ask(boss, 'POST', `${httpUrl}/api/admin/sanctions`, { kind: 'ban', email, reason: 'bench' })
    return (await closed) - startedAt
  })

/** The time from the Welcome on one node to the end of the earlier session on the other. */
const measureDisplaced = ({ httpUrl, here, there }: Scene) =>
  repeat(async (turn) => {
    const token = await signIn(httpUrl, `mover${turn % 20}@example.com`)
    const before = await connectPlayer(here, token)
    const closed = before.closed(4001)
    const now = await connectPlayer(there, token)
    const startedAt = performance.now()
    const took = (await closed) - startedAt
    now.leave()
    return Math.max(0, took)
  })

/**
 * Benchmarks the delay of changes from one process to a node in another; all on one Redis and one data folder. It cannot show a
 * remote Redis.
 */
export const crossNodeRevocation: Bench = {
  name: 'cross-node-revocation',
  run: async () => {
    const redis = await startBenchRedis()
    const data = await createDataDir({ 'server.yaml': serverConfig, 'worldgen.yaml': levelGround, 'groups.yaml': groups })
    const environment = { REDIS_URL: redis.url, DATA_DIR: data.path }
    const processes: GatehouseProcess[] = []
    const start = async (script: string, more: Readonly<Record<string, string>> = {}): Promise<GatehouseProcess> => {
      const started = await startGatehouse(script, { ...environment, ...more })
      processes.push(started)
      return started
    }
    try {
      const here = await start('realtime/main.ts', { GAME_WORLD_NAME: 'default' })
      const there = await start('realtime/main.ts', { GAME_WORLD_NAME: 'arena' })
      const http = await start('infra/http.ts', { REALTIME_URL: here.url })
      const boss = await claimAdministrator(http)
      const scene: Scene = { httpUrl: http.url, here: here.url, there: there.url, boss }
      const chief = await connectPlayer(here.url, boss)
      const email = 'player@example.com'
      const player = await connectPlayer(there.url, await signIn(http.url, email))
      return [
        ...(await measureGroups(scene, player, email)),
        ...describe(
          'groups changed by a command, its answer to rights in force on another node',
          await measureCommand(chief, player, email),
        ),
        ...describe('logout over HTTP, request to closed session on a node', await measureLogout(scene)),
        ...describe('ban over HTTP, request to closed session on a node', await measureBan(scene), banTargetMs),
        ...describe('connected on a node to closed session on another', await measureDisplaced(scene), 0),
      ]
    } finally {
      await Promise.all(processes.map((process) => process.stop()))
      await redis.stop()
      await data.remove()
    }
  },
}
