import type { Fetch } from '../http/ask.ts'
import type { ClientMessageKind, ServerMessageKind } from '../protocol/frames.ts'
import type { BlockEdit, EditBlocks, Kick, MessageLimits, Move, Position } from '../protocol/generated/gatehouse.ts'
import { decodeClientMessage, encodeServerMessage } from '../protocol/server-frames.ts'
import { createFakeSignIns, type FakeAccount } from './fake-sign-ins.ts'
import { createFakeWebSocket, type FakeEnd } from './fake-socket.ts'
import { fakeBlocks, fakeColumn, fakeGround, findFakeRefusal, tellMove } from './fake-world.ts'

/** One player on a fake server. */
export type FakePlayer = {
  readonly account: FakeAccount
  readonly ref: number
  position: Position
  /** Sends to this player only. */
  send(message: ServerMessageKind): void
}

/** Handles a message instead of the fake server. Returns true if nothing else is to be done. */
export type FakeAnswer = (message: ClientMessageKind, player: FakePlayer) => boolean

/** A server in this process, without a network: pass its `fetch` to `signIn` and its `WebSocket` to `connect`. */
export type FakeServer = {
  readonly url: string
  readonly fetch: Fetch
  readonly WebSocket: unknown
  /** Connected players. */
  players(): readonly FakePlayer[]
  /** Everything that clients have sent, in order. */
  readonly received: readonly ClientMessageKind[]
  /** Sends to all players. */
  say(message: ServerMessageKind): void
  /** Sends any frame to all players. */
  sayRaw(frame: Uint8Array | string): void
  answerWith(answer: FakeAnswer): void
  /** Decides about each new connection before anything else: it is accepted, refused, or handled by the test. */
  meetWith(meet: (address: URL, end: FakeEnd) => 'accepted' | 'refused' | 'own'): void
  setPassword(password: string): void
  /** Limits in each next Welcome. They are not enforced. */
  setLimits(limits: MessageLimits): void
  /** Sends all players a Kick and closes, as a stopping server does. */
  kick(kick: Partial<Kick>, closeCode: number): void
  /** Drops every connection without a message. */
  cut(): void
  /** Stops answering, or answers again. */
  setAway(isAway: boolean): void
  /** Forgets sessions and tokens, as a restart without a store does. */
  forget(): void
}

type Seat = FakePlayer & { readonly end: FakeEnd }

const spawn: Position = { x: 0.5, y: fakeGround, z: 0.5, yaw: 0, pitch: 0 }

/**
 * Creates a fake server with level ground. All players see each other, and every edit of known blocks succeeds. Tests add the
 * rest with `answerWith`.
 */
export const createFakeServer = (options: { readonly password?: string; readonly url?: string } = {}): FakeServer => {
  const { password, url = 'http://fake.gatehouse.invalid' } = options
  const signIns = createFakeSignIns(password)
  const seats = new Set<Seat>()
  const resumable = new Map<string, { readonly account: FakeAccount; readonly position: Position }>()
  const received: ClientMessageKind[] = []
  const built: BlockEdit[] = []
  let own: FakeAnswer = () => false
  let meetOwn: Parameters<FakeServer['meetWith']>[0] = () => 'accepted'
  let limits: MessageLimits | undefined
  let refs = 0
  let tick = 0

  const say = (message: ServerMessageKind, except?: Seat): void => {
    for (const seat of seats) if (seat !== except) seat.send(message)
  }
  const appear = ({ ref, account, position }: Seat): ServerMessageKind => {
    const { playerId, displayName } = account
    return { $case: 'players', value: { tick, cells: [], appeared: [{ ref, playerId, displayName, position }], gone: [] } }
  }
  const welcome = (seat: Seat, world: string): void => {
    const resumeToken = crypto.randomUUID()
    resumable.set(resumeToken, seat)
    const { playerId, displayName } = seat.account
    const facts = { playerId, displayName, groups: ['player'], position: seat.position, world: { name: world } }
    const numbers = { tickRate: 20, viewRadius: 2, resumeSeconds: 60, serverVersion: '0.0.0-fake' }
    seat.send({
      $case: 'welcome',
      value: { ...facts, ...numbers, limits, blocks: [...fakeBlocks], grants: [], commands: [], resumeToken },
    })
    for (let cx = -2; cx <= 2; cx += 1)
      for (let cz = -2; cz <= 2; cz += 1) seat.send({ $case: 'chunk', value: fakeColumn(cx, cz) })
    if (built.length > 0) seat.send({ $case: 'blocksChanged', value: { edits: [...built], by: '' } })
    for (const other of seats) seat.send(appear(other))
    say(appear(seat))
    seats.add(seat)
  }
  const leave = (seat: Seat): void => {
    if (seats.delete(seat)) say({ $case: 'players', value: { tick, cells: [], appeared: [], gone: [seat.ref] } })
  }
  const admit = (end: FakeEnd, world: string, message: ClientMessageKind): Seat | undefined => {
    if (message.$case !== 'connect') return undefined
    const { token, resumeToken = '' } = message.value
    const back = resumable.get(resumeToken)
    resumable.delete(resumeToken)
    const account = back?.account ?? signIns.find(token)
    if (account === undefined) {
      end.close(1008, 'invalid-token')
      return undefined
    }
    refs += 1
    const seat: Seat = {
      account,
      ref: refs,
      position: back?.position ?? spawn,
      end,
      send: (sent) => end.send(encodeServerMessage(sent)),
    }
    welcome(seat, world)
    return seat
  }
  const edit = (seat: Seat, { seq, edits }: EditBlocks): void => {
    const reason = findFakeRefusal(edits)
    if (reason === undefined) {
      built.push(...edits)
      say({ $case: 'blocksChanged', value: { edits, by: seat.account.playerId } })
    }
    seat.send({ $case: 'editResult', value: { seq, ok: reason === undefined, reason: reason ?? '' } })
  }
  const move = (seat: Seat, { seq: _, ...position }: Move): void => {
    seat.position = position
    tick += 1
    say(tellMove(seat.ref, tick, position), seat)
  }
  const act = (seat: Seat, message: ClientMessageKind): void => {
    const from = seat.account.displayName
    if (own(message, seat)) return
    if (message.$case === 'move') move(seat, message.value)
    else if (message.$case === 'editBlocks') edit(seat, message.value)
    else if (message.$case === 'chat') say({ $case: 'chatMessage', value: { channel: 'global', from, text: message.value.text } })
    else if (message.$case === 'ping') seat.send({ $case: 'pong', value: { nonce: message.value.nonce, serverTime: Date.now() } })
    else if (message.$case === 'disconnect') seat.end.close(1000, 'left')
    else if (message.$case === 'command') {
      const text = `There is no command ${message.value.text}.`
      seat.send({ $case: 'commandResult', value: { seq: message.value.seq, ok: false, text } })
    }
  }

  return {
    url,
    fetch: signIns.fetch,
    WebSocket: createFakeWebSocket((address, end) => {
      const met = signIns.isAway ? 'refused' : meetOwn(address, end)
      if (met !== 'accepted') return met === 'own' ? 'accepted' : 'refused'
      let seat: Seat | undefined
      end.onFrame = (frame) => {
        const message = decodeClientMessage(frame)
        if (message === undefined) return
        received.push(message)
        if (seat === undefined) seat = admit(end, address.searchParams.get('world') ?? 'fake', message)
        else act(seat, message)
      }
      end.onGone = () => seat && leave(seat)
      return 'accepted'
    }),
    players: () => [...seats],
    received,
    say: (message) => say(message),
    sayRaw: (frame) => {
      for (const { end } of seats) end.send(frame)
    },
    answerWith: (answer) => {
      own = answer
    },
    meetWith: (meet) => {
      meetOwn = meet
    },
    setPassword: signIns.setPassword,
    setLimits: (next) => {
      limits = next
    },
    kick: (kick, closeCode) => {
      for (const seat of seats) {
        seat.send({ $case: 'kick', value: { code: 'kicked', reason: 'You were kicked.', ...kick } })
        seat.end.close(closeCode, kick.code ?? 'kicked')
      }
    },
    cut: () => {
      for (const { end } of seats) end.close(1006, '')
    },
    setAway: (isAway) => {
      signIns.isAway = isAway
    },
    forget: () => {
      signIns.forget()
      resumable.clear()
    },
  }
}
