import { type Static, Type } from '@sinclair/typebox'

/** Ids of players, nodes and questions. */
const Id = Type.String({ minLength: 1, maxLength: 64 })

/** Printed as it is: a control character could clear a terminal or feign a prompt. */
const printable = (charactersMax: number) => Type.String({ minLength: 1, maxLength: charactersMax, pattern: '^\\P{Cc}*$' })

/** Lines of one event; what a tick has more is told by further ones. */
export const chatLinesMax = 2_000

const ChatLine = Type.Object({
  channel: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }),
  from: printable(64),
  text: printable(512),
  /** Who said it, for those who ignore them; absent of what no player said, and of nodes of an older version. */
  by: Type.Optional(Id),
})

const PlayerOrder = Type.Union([
  Type.Object({ kind: Type.Literal('kick'), reason: printable(512) }),
  Type.Object({ kind: Type.Literal('message'), text: printable(512), from: printable(64) }),
  Type.Object({ kind: Type.Literal('whisper'), text: printable(512), from: printable(64), fromId: Id }),
  Type.Object({
    kind: Type.Literal('teleport'),
    to: Type.Union([Type.Object({ x: Type.Number(), y: Type.Number(), z: Type.Number() }), Type.Object({ playerId: Id })]),
  }),
])

/** Every topic and the shape of its events; a new topic is one line here. */
export const topics = {
  /** Groups, name or password of an account changed, or it was created. */
  'account-changed': Type.Object({
    playerId: Type.String(),
    email: Type.String(),
  }),
  'account-removed': Type.Object({
    playerId: Type.String(),
    email: Type.String(),
  }),
  /** A logout; live sessions opened by any token of this sign-in end. */
  'sign-in-ended': Type.Object({
    playerId: Type.String(),
    signInId: Type.String(),
  }),
  /** Configs were read again somewhere; everybody else does the same. */
  'configs-reloaded': Type.Object({ names: Type.Array(Type.String()) }),
  /** A zone of that world was created, changed or deleted. */
  'zones-changed': Type.Object({ world: Type.String(), zoneId: Type.String() }),
  /** The spawn of that world was moved outside of its node, which reads it again. */
  'spawn-changed': Type.Object({ world: Type.String() }),
  /** Sanctions were imposed or ended; others read what. */
  'sanctions-changed': Type.Object({}),
  /** A job of that place was started or is to be cancelled: its runner looks. */
  'jobs-changed': Type.Object({ place: Type.String() }),
  /** Chat of one tick of that node, or a part of it, in the order in which it was said. */
  'chat-said': Type.Object({
    nodeId: Id,
    lines: Type.Array(ChatLine, { maxItems: chatLinesMax }),
  }),
  /** Everybody is shown a notice; by that node to its own players already. */
  announced: Type.Object({ text: printable(512), nodeId: Type.Optional(Id) }),
  /** A player connected to that node; their sessions on other nodes end, unless begun later: `at` is that of their whereabouts. */
  'player-connected': Type.Object({
    playerId: Id,
    nodeId: Id,
    at: Type.Integer({ minimum: 0 }),
    /** By an unverified sign-in: verified sessions of theirs stay. */
    unverified: Type.Optional(Type.Literal(true)),
  }),
  /** Whichever node has the player ends their session and answers `player-kicked` with the same `id`. */
  'player-kick': Type.Object({
    id: Id,
    playerId: Id,
    reason: Type.String({ maxLength: 512, pattern: '^\\P{Cc}*$' }),
  }),
  /** Whichever node has the player does it and answers `player-ordered` with the same `id`. */
  'player-order': Type.Object({ id: Id, playerId: Id, order: PlayerOrder }),
  'player-ordered': Type.Object({
    id: Id,
    playerId: Id,
    outcome: Type.Union([Type.Literal('done'), Type.Literal('no-target'), Type.Literal('busy')]),
  }),
  'player-kicked': Type.Object({ id: Id, playerId: Id, nodeId: Id }),
  /** Commands of a player were switched on or off by somebody on that node; others read the player's state. */
  'commands-switched': Type.Object({ playerId: Id, nodeId: Id }),
  /** That node does not run the world any more: it is free for another. */
  'world-released': Type.Object({ world: Type.String(), nodeId: Type.String() }),
  /** That node runs the world from now on; clients reach it at `url`. */
  'world-taken': Type.Object({ world: Type.String(), nodeId: Type.String(), url: Type.String() }),
} as const

export type Topic = keyof typeof topics
export const isTopic = (name: string): name is Topic => Object.hasOwn(topics, name)
export type EventOf<T extends Topic> = Static<(typeof topics)[T]>
export type EventHandler<T extends Topic> = (event: EventOf<T>) => void | Promise<void>

/** At most once, to every subscriber in every process, the publisher's own included. A handler that throws is logged and disturbs nobody. */
export type EventBus = {
  /** Never rejects: a lost event is logged, and the version checks make up for it. */
  publish<T extends Topic>(topic: T, event: EventOf<T>): Promise<void>
  /** Resolves when deliveries begin; the returned function ends them. */
  subscribe<T extends Topic>(topic: T, handler: EventHandler<T>): Promise<() => void>
  close(): Promise<void>
}
