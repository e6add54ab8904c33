import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import type { GameLoop } from '../../realtime/node/game-loop.ts'
import {
  ClientMessage,
  type CommandResult,
  type EditResult,
  type ModuleReply,
  ServerMessage,
} from '../../realtime/protocol/generated/gatehouse.ts'
import type { ClientMessageKind, ServerMessageKind } from '../../realtime/protocol/messages.ts'
import { createConnection } from '../../realtime/socket/player-connection.ts'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { Module, Placement, Vec3 } from '../../shared/domain/modules/api.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Push, TestPlayer } from './test-game.ts'

type TestNode = { readonly loop: GameLoop; readonly settings: () => ServerConfig['realtime']; readonly clock: Clock }

/** A connection to a game loop without a network: the server reads and writes the bytes of real frames. */
type TestClient = {
  send(message: ClientMessageKind): void
  /** The connection is lost, without a farewell. */
  drop(): void
}

/** The header and the payload of the WebSocket frame that begins at `at`, in bytes. */
const lengthsOf = (bytes: Uint8Array, at: number): { readonly header: number; readonly payload: number } => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at)
  const short = view.getUint8(1)
  if (short < 126) return { header: 2, payload: short }
  return short === 126 ? { header: 4, payload: view.getUint16(2) } : { header: 10, payload: Number(view.getBigUint64(2)) }
}

/** The messages in the binary frames that the server wrote. */
const readFrames = (bytes: Uint8Array): readonly ServerMessageKind[] => {
  const messages: ServerMessageKind[] = []
  for (let at = 0; at < bytes.length; ) {
    const { header, payload } = lengthsOf(bytes, at)
    const { kind } = ServerMessage.decode(bytes.subarray(at + header, at + header + payload))
    if (kind !== undefined) messages.push(kind)
    at += header + payload
  }
  return messages
}

const openTestClient = ({ loop, settings, clock }: TestNode, received: (message: ServerMessageKind) => void): TestClient => {
  let isOpen = true
  const end = (): void => {
    isOpen = false
    connection.ended()
  }
  const connection = createConnection({
    socket: {
      isOpen: () => isOpen,
      write: (frame) => {
        for (const message of readFrames(frame)) received(message)
      },
      close: end,
      terminate: end,
      ping: () => {},
      bufferedBytes: () => 0,
    },
    events: loop.connections,
    limits: settings,
    clock,
    traffic: loop.traffic,
    lateMs: loop.lateMs,
    metrics: createRealtimeMetrics(),
    place: { ask: () => {}, leave: () => {}, comeBack: () => {} },
  } satisfies Parameters<typeof createConnection>[0])
  return {
    send: (message) => connection.receive(ClientMessage.encode({ kind: message }).finish(), 'binary'),
    drop: end,
  }
}

/** Blocks in a tick of 50 ms: slower than the limit for walking players. */
const stepBlocks = 0.2

export type TestPlayerDeps = {
  readonly name: string
  readonly token: string
  readonly node: () => TestNode
  /** Ticks until `isDone`. Throws when the server does not answer. */
  readonly until: (isDone: () => boolean, what: string) => Promise<void>
  /** The module that declares a message. */
  readonly findModule: (message: string) => string
}

class ModuleCallError extends Error {
  override readonly name = 'ModuleCallError'
  readonly code: string
  readonly pointer: string | undefined

  constructor(code: string, reason: string, pointer: string | undefined) {
    super(reason)
    this.code = code
    this.pointer = pointer
  }
}

const parseBody = (body: Uint8Array): unknown => (body.length === 0 ? undefined : JSON.parse(Buffer.from(body).toString()))

/** A client of the game. Keeps all received texts and pushes. */
export const createTestPlayer = ({ name, token, node, until, findModule }: TestPlayerDeps) => {
  const told: string[] = []
  const heard: string[] = []
  const pushes: Push[] = []
  const edits = new Map<number, EditResult>()
  const commands = new Map<number, CommandResult>()
  const replies = new Map<number, ModuleReply>()
  let [id, resumeToken, kicked]: [string, string | undefined, string | undefined] = ['', undefined, undefined]
  let place: Placement = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0 }
  let seq = 0
  let corrections = 0
  let isIn = false
  /** Lines of chat of this player that came back, and refusals of chat. */
  let [ownLines, refusals]: [number, string[]] = [0, []]
  let client: TestClient | undefined

  const receive = (message: ServerMessageKind): void => {
    const { $case, value } = message
    if ($case === 'welcome') {
      ;({ playerId: id, resumeToken } = value)
      place = value.position ?? place
      isIn = true
    } else if ($case === 'notice') told.push(value.text)
    else if ($case === 'chatMessage') {
      heard.push(`${value.from}: ${value.text}`)
      if (value.fromId === id) ownLines += 1
    } else if ($case === 'error') {
      refusals.push(value.message)
      told.push(value.message)
    } else if ($case === 'correction') {
      place = value.position ?? place
      corrections += 1
    } else if ($case === 'kick') {
      kicked = value.reason
      isIn = false
    } else if ($case === 'modulePush') pushes.push({ module: value.module, name: value.name, body: parseBody(value.body) })
    else if ($case === 'editResult') edits.set(value.seq, value)
    else if ($case === 'commandResult') commands.set(value.seq, value)
    else if ($case === 'moduleReply') replies.set(value.seq, value)
  }

  const connect = async (): Promise<void> => {
    isIn = false
    client = openTestClient(node(), receive)
    const resume = resumeToken === undefined ? {} : { resumeToken }
    client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test', viewRadius: 2, ...resume } })
    await until(() => isIn || kicked !== undefined, `the Welcome of ${name}`)
  }

  const requireClient = (): TestClient => {
    if (client === undefined || !isIn) throw new Error(`${name} is not in the game${kicked === undefined ? '' : `: ${kicked}`}.`)
    return client
  }

  /** Sends a request and waits for its answer. */
  const ask = async <T>(answers: Map<number, T>, what: string, messageOf: (seq: number) => ClientMessageKind): Promise<T> => {
    seq += 1
    const own = seq
    requireClient().send(messageOf(own))
    await until(() => answers.has(own) || kicked !== undefined, `the answer to ${what}`)
    const answer = answers.get(own)
    answers.delete(own)
    if (answer === undefined) throw new Error(`${name} was removed from the game: ${kicked}`)
    return answer
  }

  const moveTo = (to: Vec3): void => {
    seq += 1
    place = { ...place, x: to.x, y: to.y, z: to.z }
    requireClient().send({ $case: 'move', value: { seq, ...place } })
  }

  const player: TestPlayer<Module> = {
    get id() {
      return id
    },
    name,
    told,
    heard,
    pushes,
    get kicked() {
      return kicked
    },
    get place() {
      return place
    },
    command: async (text) => {
      const line = text.startsWith('/') ? text : `/${text}`
      const { ok, text: answer } = await ask(commands, line, (number) => ({
        $case: 'command',
        value: { seq: number, text: line },
      }))
      return { ok, text: answer }
    },
    edit: async (changes) => {
      const { ok, reason, refusedBy } = await ask(edits, 'an edit', (number) => ({
        $case: 'editBlocks',
        value: { seq: number, edits: [...changes] },
      }))
      return refusedBy === undefined ? { ok, reason } : { ok, reason: refusedBy.text, module: refusedBy.module }
    },
    say: async (text) => {
      const [linesBefore, refusalsBefore] = [ownLines, refusals.length]
      requireClient().send({ $case: 'chat', value: { text } })
      await until(() => ownLines > linesBefore || refusals.length > refusalsBefore, `the chat line "${text}"`)
      const refusal = refusals[refusalsBefore]
      return refusal === undefined ? { ok: true, reason: '' } : { ok: false, reason: refusal }
    },
    call: async (message, params) => {
      const module = findModule(message)
      const body = Buffer.from(JSON.stringify(params))
      const reply = await ask(replies, `${module}/${message}`, (number) => ({
        $case: 'moduleCall',
        value: { seq: number, module, name: message, body },
      }))
      if (!reply.ok) throw new ModuleCallError(reply.code, reply.reason, reply.pointer)
      return parseBody(reply.body) as never
    },
    walk: async (to) => {
      const goal = { ...place, ...to }
      const before = corrections
      const distance = (): number => Math.hypot(goal.x - place.x, goal.y - place.y, goal.z - place.z)
      while (distance() > 0 && corrections === before && kicked === undefined) {
        const part = stepBlocks / distance()
        const along = (from: number, end: number): number => (part >= 1 ? end : from + (end - from) * part)
        moveTo({ x: along(place.x, goal.x), y: along(place.y, goal.y), z: along(place.z, goal.z) })
        let ticks = 0
        await until(() => ticks++ > 0, 'a move')
      }
      // A correction may be on its way.
      let ticks = 0
      await until(() => ticks++ > 1, 'a move')
      return place
    },
    leave: async () => {
      requireClient().send({ $case: 'disconnect', value: {} })
      isIn = false
      let ticks = 0
      await until(() => ticks++ > 1, 'the farewell')
      client?.drop()
      client = undefined
    },
  }
  return {
    player,
    connect,
    isIn: () => isIn,
    /** The node is gone, and the next one has the session. */
    reconnect: async () => {
      client?.drop()
      await connect()
    },
  }
}

export type ConnectedPlayer = ReturnType<typeof createTestPlayer>
