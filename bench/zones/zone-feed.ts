import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { ClientMessage, ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'
import { createDataDir, type GatehouseProcess, signIn, startGatehouse } from '../gatehouse-process.ts'
import { type Bench, percentile, round } from '../result.ts'

const players = 10
const feeds = 10
const warmUps = 10
const rounds = 100
const targetMs = 100
const side = 4
const blocks = (side * 16) ** 2

const serverConfig = `http: { rateLimits: { signInPerMinutePerAddress: 10000, requestsPerMinutePerAddress: 100000 } }
realtime: { messagesPerSecond: 1000, messageBurst: 2000 }
`

/** A client in view of the zone: resolves when it has received as many changed blocks as one edit has. */
type Viewer = { seen(): Promise<number>; close(): void }

const createCount = () => {
  let count = 0
  let arrived: ((atMs: number) => void) | undefined
  return {
    add: (changed: number): void => {
      count += changed
      if (count < blocks) return
      count -= blocks
      arrived?.(performance.now())
    },
    seen: () =>
      new Promise<number>((resolve) => {
        arrived = resolve
      }),
  }
}

const blocksChangedTag = 0x2a
const editTag = 0x0a

/** Counts edits of a binary BlocksChanged without parsing it, because parsing time of this process is not the server's. */
const countChanged = (data: Buffer): number => {
  if (data[0] !== blocksChangedTag) return 0
  let place = 1
  const readLength = (): number => {
    let length = 0
    for (let shift = 0; ; shift += 7) {
      const byte = data[place] ?? 0
      place += 1
      length |= (byte & 127) << shift
      if (byte < 128) return length
    }
  }
  readLength()
  let count = 0
  while (data[place] === editTag) {
    place += 1
    const length = readLength()
    place += length
    count += 1
  }
  return count
}

const openPlayer = async (url: string, token: string): Promise<Viewer & { readonly at: { x: number; z: number } }> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, { perMessageDeflate: false })
  const { add, seen } = createCount()
  let at: { x: number; z: number } | undefined
  let columns = 0
  socket.on('open', () => {
    const value = { token, protocolVersion: 1, clientName: 'bench', resumeToken: undefined }
    socket.send(ClientMessage.encode({ kind: { $case: 'connect', value } }).finish())
  })
  socket.on('message', (data: Buffer) => {
    add(countChanged(data))
    if (at !== undefined && columns >= 17 ** 2) return
    const { kind } = ServerMessage.decode(data)
    if (kind?.$case === 'welcome') at = kind.value.position
    else if (kind?.$case === 'chunk') columns += 1
  })
  while (at === undefined || columns < 17 ** 2) await pause(50)
  return { seen, at, close: () => socket.terminate() }
}

/** Counts edits in a feed's `blocks` by their opening braces. */
const countEdits = (data: Buffer): number => {
  if (data.subarray(0, 16).toString() !== '{"type":"blocks"') return 0
  let braces = -1
  for (let place = data.indexOf(123); place >= 0; place = data.indexOf(123, place + 1)) braces += 1
  return braces
}

const openFeed = async (url: string, id: string, token: string): Promise<Viewer & { readonly socket: WebSocket }> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/admin/ws/instances/${id}`, {
    perMessageDeflate: false,
    headers: { Authorization: `Bearer ${token}` },
  })
  const { add, seen } = createCount()
  socket.on('message', (data: Buffer) => add(countEdits(data)))
  await new Promise((resolve, reject) => {
    socket.once('message', resolve)
    socket.once('error', reject)
  })
  return { seen, socket, close: () => socket.terminate() }
}

const post = async (url: string, path: string, body: unknown, token?: string): Promise<Record<string, unknown>> => {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  return { ...(typeof answer === 'object' ? answer : {}), status: response.status }
}

const createZone = async (url: string, token: string, at: { x: number; z: number }): Promise<string> => {
  const [cx, cz] = [Math.floor(at.x / 16), Math.floor(at.z / 16)]
  const chunks = Array.from({ length: side * side }, (_, n) => ({ cx: cx + Math.floor(n / side), cz: cz + (n % side) }))
  for (let attempt = 0; attempt < 100; attempt += 1) {
    // Columns that players see are stored a moment later.
    const { status, id } = await post(url, '/api/admin/instances', { name: 'Bench', yMin: 0, yMax: 255, chunks }, token)
    if (status === 201) return String(id)
    await pause(100)
  }
  throw new Error('the zone was not made')
}

const layerAt = ({ x, z }: { x: number; z: number }, type: string) => {
  const [x0, z0] = [Math.floor(x / 16) * 16, Math.floor(z / 16) * 16]
  return Array.from({ length: blocks }, (_, n) => ({
    x: x0 + (n % (side * 16)),
    y: 200,
    z: z0 + Math.floor(n / (side * 16)),
    type,
  }))
}

const measure = async ({ url, claim }: GatehouseProcess): Promise<{ lastMs: number[]; resultMs: number[] }> => {
  const account = { claim, email: 'boss@example.com', password: 'the password of the boss' }
  const token = String((await post(url, '/auth/claim', account)).token)
  const tokens = await Promise.all(Array.from({ length: players }, (_, n) => signIn(url, `player${n}@example.com`)))
  const inGame = await Promise.all(tokens.map((each) => openPlayer(url, each)))
  const at = inGame[0]?.at ?? { x: 0, z: 0 }
  const id = await createZone(url, token, at)
  const editors = await Promise.all(Array.from({ length: feeds }, () => openFeed(url, id, token)))
  const viewers: readonly Viewer[] = [...inGame, ...editors]
  const editor = editors[0]?.socket
  const [lastMs, resultMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const message = JSON.stringify({ type: 'edit', ref: round, edits: layerAt(at, round % 2 === 0 ? 'stone' : 'air') })
    const seen = viewers.map((viewer) => viewer.seen())
    const answered = new Promise<number>((resolve) => {
      const look = (data: Buffer): void => {
        if (data.length > 200 || !data.includes(`"ref":${round},"ok":true`)) return
        editor?.off('message', look)
        resolve(performance.now())
      }
      editor?.on('message', look)
    })
    const sentMs = performance.now()
    editor?.send(message)
    const arrivals = await Promise.all(seen)
    const answeredMs = await answered
    if (round >= warmUps) {
      lastMs.push(Math.max(...arrivals) - sentMs)
      resultMs.push(answeredMs - sentMs)
    }
    // A random moment within a tick.
    await pause(Math.random() * 100)
  }
  for (const viewer of viewers) viewer.close()
  return { lastMs, resultMs }
}

/**
 * Benchmarks the time of a large edit through a feed to all viewers of the zone: players and editors. It cannot show editors over
 * a network.
 */
export const zoneFeed: Bench = {
  name: 'zone-feed',
  run: async () => {
    const dataDir = await createDataDir({ 'server.yaml': serverConfig })
    const server = await startGatehouse('infra/local.ts', { DATA_DIR: dataDir.path })
    try {
      const { lastMs, resultMs } = await measure(server)
      const figure = (name: string, value: number) => ({ bench: 'zone-feed', figure: name, value: round(value, 1), unit: 'ms' })
      const last = percentile(lastMs, 0.99)
      return [
        {
          ...figure(`${blocks}-block edit to the last of ${players} players and ${feeds} feeds, p99`, last),
          target: `under ${targetMs} ms`,
          met: last < targetMs,
        },
        figure('the same, median', percentile(lastMs, 0.5)),
        figure('until its result, durable, p99', percentile(resultMs, 0.99)),
      ]
    } finally {
      await server.stop()
      await dataDir.remove()
    }
  },
}
