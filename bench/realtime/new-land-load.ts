import { BinaryReader } from '@bufbuild/protobuf/wire'
import { WebSocket } from 'ws'
import { ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'
import { createJoins } from './joins.ts'
import type { NewLandMeasure, NewLandPlan } from './new-land.ts'

/**
 * Players who walk straight away from their start, each in another direction, over loaded columns. Like real clients, they wait
 * at a column that is not loaded yet. Argument: the plan as JSON.
 */
const plan: NewLandPlan = JSON.parse(process.argv[2] ?? '{}')
const movesPerSecond = 20
const chunkTag = 0x12
const goneTag = 0x1a
const correctionTag = 0x3a
const joins = createJoins({ ...plan, kind: 'gatehouse' })

type Walker = {
  readonly socket: WebSocket
  readonly yaw: number
  readonly columns: Set<string>
  askedAt: number
  isIn: boolean
  groundMs: number | undefined
  x: number
  z: number
  from: { readonly x: number; readonly z: number }
}

const walkers: Walker[] = []
let moving = false
let counts = { steps: 0, waits: 0, corrections: 0 }

/** The position of a Chunk or ChunkGone, without its content. */
const readColumn = (data: Buffer): string => {
  const reader = new BinaryReader(data)
  reader.uint32()
  const end = reader.uint32() + reader.pos
  let [cx, cz] = [0, 0]
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) cx = reader.sint32()
    else if (tag >>> 3 === 2) cz = reader.sint32()
    else break
  }
  return `${cx} ${cz}`
}

const columnAt = (x: number, z: number): string => `${Math.floor(x / 16)} ${Math.floor(z / 16)}`
const halfWidth = 0.3

/** Whether all columns under a body there are loaded. */
const hasGround = ({ columns }: Walker, x: number, z: number): boolean =>
  [-halfWidth, halfWidth].every((dx) => [-halfWidth, halfWidth].every((dz) => columns.has(columnAt(x + dx, z + dz))))

const connect = async (index: number): Promise<void> => {
  const socket = new WebSocket(await joins.urlOf(index), { perMessageDeflate: false })
  const walker: Walker = {
    socket,
    columns: new Set<string>(),
    askedAt: performance.now(),
    isIn: false,
    groundMs: undefined,
    x: 0,
    z: 0,
    from: { x: 0, z: 0 },
    yaw: (index / plan.players) * 360,
  }
  walkers[index] = walker
  socket.on('open', () => joins.onOpen(socket, index))
  socket.on('error', () => {})
  socket.on('message', (data: Buffer) => {
    if (!walker.isIn && joins.isWelcome(data)) {
      walker.isIn = true
      const { kind } = ServerMessage.decode(data)
      if (kind?.$case === 'welcome' && kind.value.position !== undefined) {
        walker.x = kind.value.position.x
        walker.z = kind.value.position.z
        walker.from = { x: walker.x, z: walker.z }
      }
    } else if (data[0] === chunkTag) {
      const column = readColumn(data)
      walker.columns.add(column)
      if (column === columnAt(walker.x, walker.z)) walker.groundMs ??= performance.now() - walker.askedAt
    } else if (data[0] === goneTag) walker.columns.delete(readColumn(data))
    else if (data[0] === correctionTag) {
      counts.corrections += 1
      const { kind } = ServerMessage.decode(data)
      if (kind?.$case === 'correction' && kind.value.position !== undefined) {
        walker.x = kind.value.position.x
        walker.z = kind.value.position.z
        if (moving) return
        // After a teleport the ground arrives again.
        walker.from = { x: walker.x, z: walker.z }
        walker.askedAt = performance.now()
        walker.groundMs = walker.columns.has(columnAt(walker.x, walker.z)) ? 0 : undefined
      }
    }
  })
}

const step = (walker: Walker, index: number): void => {
  const angle = (walker.yaw * Math.PI) / 180
  const far = plan.blocksPerSecond / movesPerSecond
  const [x, z] = [walker.x + Math.cos(angle) * far, walker.z + Math.sin(angle) * far]
  counts.steps += 1
  const isHere = hasGround(walker, x, z)
  if (!isHere) counts.waits += 1
  // Like the client library: a player does not move without known ground.
  if (!plan.walksBlindly && !hasGround(walker, walker.x, walker.z)) return
  if (isHere || plan.walksBlindly) [walker.x, walker.z] = [x, z]
  walker.socket.send(joins.encodeMove(index, { x: walker.x, y: plan.height, z: walker.z, yaw: walker.yaw }))
}

/** Moves of one slice arrive together. A load that polls the clock would leave no processor time for generation. */
const sliceMs = 5
const slices = 1000 / movesPerSecond / sliceMs
let slice = 0
let due = performance.now()
const sendSlice = (): void => {
  due += sliceMs
  if (moving)
    for (let index = slice; index < walkers.length; index += slices) {
      const walker = walkers[index]
      if (walker?.isIn === true && walker.socket.readyState === WebSocket.OPEN) step(walker, index)
    }
  slice = (slice + 1) % slices
  setTimeout(sendSlice, Math.max(0, due - performance.now()))
}
sendSlice()

const end = (): NewLandMeasure => {
  const grounds = walkers.flatMap(({ groundMs }) => (groundMs === undefined ? [] : [groundMs])).sort((a, b) => a - b)
  const away = walkers.map(({ x, z, from }) => Math.hypot(x - from.x, z - from.z)).sort((a, b) => a - b)
  return {
    ...counts,
    groundP99Ms: grounds[Math.floor(grounds.length * 0.99)] ?? Number.POSITIVE_INFINITY,
    isOpen: walkers.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length,
    awayMedian: away[Math.floor(away.length / 2)] ?? 0,
  }
}

process.on('message', (message) => {
  if (message === 'connect')
    void (async () => {
      for (let index = 0; index < plan.players; index += 1) {
        await connect(index)
        await new Promise((resolve) => setTimeout(resolve, 1000 / plan.joinsPerSecond))
      }
      const waiting = setInterval(() => {
        if (!walkers.every(({ groundMs }) => groundMs !== undefined)) return
        clearInterval(waiting)
        process.send?.({ connected: walkers.length })
      }, 20)
    })()
  if (message === 'walk') moving = true
  if (message === 'begin') counts = { steps: 0, waits: 0, corrections: 0 }
  if (message === 'end') process.send?.({ measure: end() })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
