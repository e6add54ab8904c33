import { WebSocket } from 'ws'
import { ClientMessage, type Kick, ServerMessage, type Welcome } from '../../../realtime/protocol/generated/gatehouse.ts'
import type { ClientMessageKind } from '../../../realtime/protocol/messages.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { signIn } from './api.ts'

/**
 * Parses frames itself and reads only two kinds of messages: decoding all messages of 200 players costs more than the server's
 * work.
 */
const welcomeTag = 0x0a
const kickTag = 0x7a

const retryMs = 50

export type Position = { readonly x: number; readonly y: number; readonly z: number }

/** One of many players, who reconnects by the resume token only. */
export type CrowdPlayer = {
  readonly email: string
  readonly token: string
  welcomes(): readonly Welcome[]
  /** The Kick of its last connection. */
  kick(): Kick | undefined
  isIn(): boolean
  /** The reason to give up: the code of the Kick that refused its resume token, or the close code. */
  refusal(): string | undefined
  /** The milliseconds between the last frame of the earlier connection and the Welcome of the next one. */
  gapMs(): number
  move(to: Position): void
  place(): Position
  leave(): void
}

const baseToSocket = (url: string): string => `${url.replace(/^http/, 'ws')}/realtime`

/** The end of a connection before its Welcome. */
type End = { readonly code: number; readonly kick: Kick | undefined }

const createPlayer = (email: string, token: string, findUrl: () => string): CrowdPlayer & { enter(url: string): void } => {
  const welcomes: Welcome[] = []
  let kick: Kick | undefined
  let socket: WebSocket | undefined
  let isIn = false
  let isLeaving = false
  let refusal: string | undefined
  let lastFrameMs = 0
  let gapMs = 0
  let seq = 0
  let place: Position = { x: 0, y: 0, z: 0 }
  const send = (kind: ClientMessageKind): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(ClientMessage.encode({ kind }).finish())
  }

  const read = (data: Buffer): void => {
    const nowMs = performance.now()
    if (isIn) lastFrameMs = nowMs
    if (data[0] !== welcomeTag && data[0] !== kickTag) return
    const { kind } = ServerMessage.decode(data)
    if (kind?.$case === 'kick') kick = kind.value
    if (kind?.$case !== 'welcome') return
    welcomes.push(kind.value)
    if (lastFrameMs > 0) gapMs = nowMs - lastFrameMs
    lastFrameMs = nowMs
    isIn = true
    seq = 0
    const { x = 0, y = 0, z = 0 } = kind.value.position ?? {}
    place = { x, y, z }
  }

  const comeBack = ({ code, kick: last }: End): void => {
    if (isLeaving) return
    if (last?.code === 'invalid-resume' || (code >= 4000 && code < 5000)) {
      refusal = last?.code ?? String(code)
      return
    }
    const url = last?.resumeUrl ?? findUrl()
    setTimeout(() => enter(url), last?.resumeUrl === undefined ? retryMs : (last.retryAfterMs ?? 0))
  }

  const enter = (url: string): void => {
    if (isLeaving) return
    kick = undefined
    const opened = new WebSocket(baseToSocket(url), { perMessageDeflate: false })
    socket = opened
    opened.binaryType = 'nodebuffer'
    opened.on('error', () => undefined)
    opened.on('open', () => {
      const resumeToken = welcomes.at(-1)?.resumeToken
      const credential = resumeToken === undefined ? { token } : { token: '', resumeToken }
      send({ $case: 'connect', value: { ...credential, protocolVersion: 1, clientName: 'crowd' } })
    })
    opened.on('message', read)
    opened.on('close', (code) => {
      isIn = false
      comeBack({ code, kick })
    })
  }

  return {
    email,
    token,
    enter,
    welcomes: () => welcomes,
    kick: () => kick,
    isIn: () => isIn,
    refusal: () => refusal,
    gapMs: () => gapMs,
    place: () => place,
    move: (to) => {
      place = to
      seq += 1
      send({ $case: 'move', value: { seq, ...to, yaw: 0, pitch: 0 } })
    },
    leave: () => {
      isLeaving = true
      socket?.terminate()
    },
  }
}

export type Crowd = {
  readonly players: readonly CrowdPlayer[]
  /** Resolves when all of them, or the given ones, are connected with at least that many welcomes. */
  areIn(welcomes: number, some?: readonly CrowdPlayer[], withinMs?: number): Promise<void>
  gaps(): { readonly p50: number; readonly p99: number; readonly max: number }
  leave(): void
}

const signInsAtOnce = 10

/**
 * Signs in that many players at `httpUrl` and connects them at `nodeUrl`. After a lost connection without a Kick they try the
 * address of `findUrl`.
 */
export const gatherCrowd = async (
  count: number,
  { httpUrl, nodeUrl, findUrl }: { readonly httpUrl: string; readonly nodeUrl: string; readonly findUrl: () => string },
): Promise<Crowd> => {
  const players: ReturnType<typeof createPlayer>[] = []
  for (let at = 0; at < count; at += signInsAtOnce) {
    const emails = Array.from({ length: Math.min(signInsAtOnce, count - at) }, (_, i) => `crowd-${at + i}@example.com`)
    players.push(...(await Promise.all(emails.map(async (email) => createPlayer(email, await signIn(httpUrl, email), findUrl)))))
  }
  for (const player of players) player.enter(nodeUrl)
  const areIn: Crowd['areIn'] = async (welcomes, some = players, withinMs = 90_000) => {
    const isThere = (player: CrowdPlayer): boolean => player.isIn() && player.welcomes().length >= welcomes
    await waitFor(() => some.every(isThere), withinMs).catch(() => {
      const missing = some.filter((player) => !isThere(player))
      throw new Error(`${missing.length} of ${some.length} are not in: ${missing.map((player) => player.refusal()).slice(0, 5)}`)
    })
  }
  return {
    players,
    areIn,
    gaps: () => {
      const sorted = players.map((player) => player.gapMs()).sort((a, b) => a - b)
      const at = (share: number): number =>
        Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
      return { p50: at(0.5), p99: at(0.99), max: at(1) }
    },
    leave: () => {
      for (const player of players) player.leave()
    },
  }
}
