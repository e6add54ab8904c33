import { setTimeout as pause } from 'node:timers/promises'
import { PNG } from 'pngjs'
import { WebSocket } from 'ws'
import { type Bench, median, round } from '../result.ts'
import { type LiveServer, startLiveServer } from './live-server.ts'

const rounds = 12
const side = 64
const targetMs = 1500
const zooms = [0, 1, 2, 3, 4, 5]
const tilePath = (zoom: number): string => `/api/admin/worlds/default/map/${zoom}/0/0.png`

const openSocket = async ({ url, token }: LiveServer, path: string): Promise<WebSocket> => {
  const socket = new WebSocket(url.replace('http', 'ws') + path, {
    perMessageDeflate: false,
    headers: { Authorization: `Bearer ${token}` },
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return socket
}

/** The pixels of a tile that show the wall: 4,096 of them at zoom 0, and a quarter of that at each further zoom. */
const readWall = async ({ ask }: LiveServer, zoom: number): Promise<Buffer> => {
  const answer = await ask('GET', tilePath(zoom))
  if (answer.status !== 200) throw new Error(`a tile of zoom ${zoom} was answered ${answer.status}`)
  const { data } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()))
  const width = side / 2 ** zoom
  return Buffer.concat(Array.from({ length: width }, (_, row) => data.subarray(row * 1024, row * 1024 + width * 4)))
}

/** Whether every pixel has changed, except the shaded edge of the wall. */
const isOther = (wall: Buffer, before: Buffer): boolean => {
  let same = 0
  for (let at = 0; at < wall.length; at += 4) if (wall.readUInt32BE(at) === before.readUInt32BE(at)) same += 1
  return same === 0
}

const layer = (type: string) =>
  Array.from({ length: side * side }, (_, n) => ({ x: n % side, y: 200, z: Math.floor(n / side), type }))

const measure = async (server: LiveServer): Promise<number[]> => {
  const columns = side / 16
  const chunks = Array.from({ length: columns ** 2 }, (_, n) => ({ cx: Math.floor(n / columns), cz: n % columns }))
  const zone = await server.ask('POST', '/api/admin/instances', { name: 'Bench', yMin: 0, yMax: 255, chunks })
  const { id } = Object(await zone.json())
  const editor = await openSocket(server, `/api/admin/ws/instances/${id}`)
  const looking = await openSocket(server, '/api/admin/ws/worlds/default')
  looking.send(JSON.stringify({ type: 'view', minX: -512, minZ: -512, maxX: 511, maxZ: 511 }))
  const walls = new Map<number, Buffer>()
  const times: number[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const zoom of zooms) walls.set(zoom, await readWall(server, zoom))
    // A random moment within a second.
    await pause(1000 + Math.random() * 1000)
    const waiting = new Set(zooms)
    const startedMs = performance.now()
    const seen = new Promise<number>((resolve) => {
      const look = async (data: Buffer): Promise<void> => {
        const { type, tiles = [] } = JSON.parse(data.toString())
        if (type !== 'tiles') return
        for (const { zoom, tx, tz } of tiles) {
          if (tx !== 0 || tz !== 0 || !waiting.has(zoom)) continue
          const wall = await readWall(server, zoom)
          if (isOther(wall, walls.get(zoom) ?? wall)) waiting.delete(zoom)
        }
        if (waiting.size > 0) return
        looking.removeAllListeners('message')
        resolve(performance.now())
      }
      looking.on('message', (data: Buffer) => void look(data))
    })
    editor.send(JSON.stringify({ type: 'edit', ref: turn, edits: layer(turn % 2 === 0 ? 'stone' : 'grass') }))
    const late = pause(20_000).then(() => Number.NaN)
    times.push((await Promise.race([seen, late])) - startedMs)
  }
  editor.terminate()
  looking.terminate()
  return times
}

/**
 * Benchmarks the time from the edit of 4,096 blocks to the last of the six tiles that show it, fetched by a client. It cannot
 * show many clients at once: `world-feed-crowd` does.
 */
export const worldFeedWall: Bench = {
  name: 'world-feed-wall',
  run: async () => {
    const server = await startLiveServer(32)
    try {
      const times = await measure(server)
      const worst = Math.max(...times)
      const common = { bench: 'world-feed-wall', unit: 'ms' }
      return [
        {
          ...common,
          figure: `a wall of ${side * side} edits on the tiles of six zooms of a client that looks, the worst of ${rounds}`,
          value: round(worst, 0),
          target: `under ${targetMs} ms`,
          met: worst < targetMs,
        },
        {
          ...common,
          figure: `the same, median of ${times.map((time) => round(time, 0)).join(', ')}`,
          value: round(median(times), 0),
        },
      ]
    } finally {
      await server.stop()
    }
  },
}
