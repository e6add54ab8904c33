import type { CloseCode } from '../connection/decide-next.ts'
import type { Fetch } from '../http/ask.ts'
import type { ClientMessageKind, ServerMessageKind } from '../protocol/frames.ts'
import type { BlockEdit, EditBlocks, Kick, MessageLimits, Move, Position } from '../protocol/generated/gatehouse.ts'
import { decodeClientMessage, encodeServerMessage } from '../protocol/server-frames.ts'
import { createFakeRoutes, type FakeAccount, type FakeProblem, type Serve } from './fake-routes.ts'
import { createFakeSignIns } from './fake-sign-ins.ts'
import { createFakeWebSocket, type FakeEnd } from './fake-socket.ts'
import { fakeBlocks, fakeColumn, fakeGround, findFakeRefusal, tellMove } from './fake-world.ts'
import { createFakeZones } from './fake-zones.ts'

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
  /**
   * Answers a route of administration, with the types of `createCall`. Zones, players, announcements and accounts are answered already;
   * any other route is `not-found`. Every account may call every route.
   */
  serve: Serve
  /** Decides about each new connection before anything else: it is accepted, refused, or handled by the test. */
  meetWith(meet: (address: URL, end: FakeEnd) => 'accepted' | 'refused' | 'own'): void
  setPassword(password: string): void
  /** Limits in each next Welcome. They are not enforced. */
  setLimits(limits: MessageLimits): void
  /** Sends all players a Kick and closes, as a stopping server does. */
  kick(kick: Partial<Kick>, closeCode: CloseCode): void
  /** Drops every connection without a message. */
  cut(): void
  /** Stops answering, or answers again. */
  setAway(isAway: boolean): void
  /** Forgets sessions and tokens, as a restart without a store does. */
  forget(): void
}

type Seat = FakePlayer & { readonly end: FakeEnd; readonly world: string; readonly since: string }

const spawn: Position = { x: 0.5, y: fakeGround, z: 0.5, yaw: 0, pitch: 0 }

/**
 * Creates a fake server with level ground. All players see each other, and every edit of known blocks succeeds. It has the routes of
 * zones, players, announcements and accounts, and the feeds of its zones. Tests add the rest with `answerWith` and `serve`.
 */
export const createFakeServer = (options: { readonly password?: string; readonly url?: string } = {}): FakeServer => {
  const { password, url = 'http://fake.gatehouse.invalid' } = options
  const routes = createFakeRoutes()
  const signIns = createFakeSignIns(routes.answer, password)
  const seats = new Set<Seat>()
  const resumable = new Map<string, { readonly account: FakeAccount; readonly position: Position }>()
  const received: ClientMessageKind[] = []
  const built = new Map<string, BlockEdit>()
  let own: FakeAnswer = () => false
  let meetOwn: Parameters<FakeServer['meetWith']>[0] = () => 'accepted'
  let limits: MessageLimits | undefined
  let refs = 0
  let tick = 0

  const typeAt = (x: number, y: number, z: number): string =>
    built.get(`${x} ${y} ${z}`)?.type ?? (y >= 0 && y < fakeGround ? 'stone' : 'air')
  const build = (edits: readonly BlockEdit[], by: string): void => {
    const changed = edits.map(({ x, y, z, type }) => ({ x, y, z, type, was: typeAt(x, y, z) }))
    for (const one of edits) built.set(`${one.x} ${one.y} ${one.z}`, one)
    say({ $case: 'blocksChanged', value: { edits: [...edits], by } })
    zones.changed(changed, by)
  }
  const zones = createFakeZones({ build, typeAt, players: () => [...seats], find: signIns.find })

  const say = (message: ServerMessageKind, except?: Seat): void => {
    for (const seat of seats) if (seat !== except) seat.send(message)
  }
  const appear = ({ ref, account, position }: Seat): ServerMessageKind => {
    const { playerId, displayName } = account
    return { $case: 'players', value: { tick, cells: [], appeared: [{ ref, playerId, displayName, position }], gone: [] } }
  }
  const welcome = (seat: Seat): void => {
    const resumeToken = crypto.randomUUID()
    resumable.set(resumeToken, seat)
    const { playerId, displayName } = seat.account
    const facts = { playerId, displayName, groups: ['player'], position: seat.position, world: { name: seat.world } }
    const numbers = { tickRate: 20, viewRadius: 2, resumeSeconds: 60, serverVersion: '0.0.0-fake' }
    seat.send({
      $case: 'welcome',
      value: { ...facts, ...numbers, limits, blocks: [...fakeBlocks], grants: [], commands: [], resumeToken },
    })
    for (let cx = -2; cx <= 2; cx += 1)
      for (let cz = -2; cz <= 2; cz += 1) seat.send({ $case: 'chunk', value: fakeColumn(cx, cz) })
    if (built.size > 0) seat.send({ $case: 'blocksChanged', value: { edits: [...built.values()], by: '' } })
    for (const other of seats) seat.send(appear(other))
    say(appear(seat))
    seats.add(seat)
    zones.moved(seat)
  }
  const leave = (seat: Seat): void => {
    if (!seats.delete(seat)) return
    say({ $case: 'players', value: { tick, cells: [], appeared: [], gone: [seat.ref] } })
    zones.left(seat)
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
      world,
      since: new Date().toISOString(),
      send: (sent) => end.send(encodeServerMessage(sent)),
    }
    welcome(seat)
    return seat
  }
  const edit = (seat: Seat, { seq, edits }: EditBlocks): void => {
    const reason = findFakeRefusal(edits)
    if (reason === undefined) build(edits, seat.account.playerId)
    seat.send({ $case: 'editResult', value: { seq, ok: reason === undefined, reason: reason ?? '' } })
  }
  const move = (seat: Seat, { seq: _, ...position }: Move): void => {
    seat.position = position
    tick += 1
    say(tellMove(seat.ref, tick, position), seat)
    zones.moved(seat)
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

  const end = (seat: Seat, kick: Partial<Kick>, closeCode: CloseCode): void => {
    seat.send({ $case: 'kick', value: { code: 'kicked', reason: 'You were kicked.', ...kick } })
    seat.end.close(closeCode, kick.code ?? 'kicked')
  }
  const findSeat = (playerId: string): Seat | undefined => [...seats].find(({ account }) => account.playerId === playerId)
  const notFound = (title: string): FakeProblem => ({ problem: { status: 404, slug: 'not-found', title } })
  const offline = notFound('No player with that id is online.')
  const notice = (text: string): ServerMessageKind => ({ $case: 'notice', value: { severity: 'info', kind: '', text } })

  zones.serveRoutes(routes.serve)
  routes.serve('GET /api/admin/players', () => ({
    players: [...seats].map(({ account, world, position, since }) => ({ ...account, world, position, node: 'fake', since })),
  }))
  routes.serve('POST /api/admin/players/{playerId}/kick', ({ params, body }) => {
    const seat = findSeat(params.playerId)
    if (seat === undefined) return offline
    end(seat, body.reason === undefined ? {} : { reason: body.reason }, 4003)
    return undefined
  })
  routes.serve('POST /api/admin/players/{playerId}/message', ({ params, body }) => {
    const seat = findSeat(params.playerId)
    seat?.send(notice(body.text))
    return seat === undefined ? offline : undefined
  })
  routes.serve('POST /api/admin/players/{playerId}/teleport', ({ params, body }) => {
    const seat = findSeat(params.playerId)
    const to = 'playerId' in body ? findSeat(body.playerId)?.position : body
    if (seat === undefined || to === undefined) return offline
    move(seat, { seq: 0, ...seat.position, x: to.x, y: to.y, z: to.z })
    seat.send({ $case: 'correction', value: { seq: 0, position: seat.position, reason: 'teleport' } })
    return undefined
  })
  routes.serve('POST /api/admin/announcements', ({ body }) => {
    say(notice(body.text))
    return undefined
  })
  const startedAt = new Date().toISOString()
  const list = () =>
    signIns.accounts().map((account) => ({ ...account, groups: ['player'], hasPassword: true, createdAt: startedAt }))
  routes.serve('GET /api/admin/users', () => ({ users: list() }))
  routes.serve('GET /api/admin/users/{email}', ({ params }) => {
    const body = list().find(({ email }) => email === params.email)
    return body === undefined ? notFound('There is no account with this email.') : body
  })

  return {
    url,
    serve: routes.serve,
    fetch: signIns.fetch,
    WebSocket: createFakeWebSocket((address, end) => {
      const met = signIns.isAway ? 'refused' : meetOwn(address, end)
      if (met !== 'accepted') return met === 'own' ? 'accepted' : 'refused'
      const feed = zones.open(address, end)
      if (feed !== undefined) return feed
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
      for (const seat of seats) end(seat, kick, closeCode)
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
