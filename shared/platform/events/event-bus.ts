import { type Static, Type } from '@sinclair/typebox'

/** Ids of players, nodes and requests. */
const Id = Type.String({ minLength: 1, maxLength: 64 })

/** Terminals print these texts, and a control character could clear the screen or fake a prompt. */
const printable = (charactersMax: number) => Type.String({ minLength: 1, maxLength: charactersMax, pattern: '^\\P{Cc}*$' })

/** The maximum number of chat lines in one event. Further lines of a tick go into further events. */
export const chatLinesMax = 2_000

const ChatLine = Type.Object({
  channel: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }),
  from: printable(64),
  text: printable(512),
  /** The speaker, for players who ignore them. Absent for lines without a player and from nodes of an older version. */
  by: Type.Optional(Id),
})

const PlayerOrder = Type.Union([
  Type.Object({ kind: Type.Literal('kick'), reason: printable(512) }),
  /** Nodes of an older version send no `fromId`. */
  Type.Object({ kind: Type.Literal('message'), text: printable(512), from: printable(64), fromId: Type.Optional(Id) }),
  Type.Object({ kind: Type.Literal('whisper'), text: printable(512), from: printable(64), fromId: Id }),
  Type.Object({
    kind: Type.Literal('teleport'),
    to: Type.Union([Type.Object({ x: Type.Number(), y: Type.Number(), z: Type.Number() }), Type.Object({ playerId: Id })]),
  }),
])

const ModuleName = Type.String({ minLength: 1, maxLength: 32 })

const PlayerAction = Type.Union([
  Type.Object({ kind: Type.Literal('edit'), x: Type.Integer(), y: Type.Integer(), z: Type.Integer(), type: Id }),
  Type.Object({ kind: Type.Literal('command'), name: Id }),
])

const ModuleOrder = Type.Union([
  /** Loads a module again. Without `yes` it is refused if something would be lost. */
  Type.Object({ kind: Type.Literal('reload'), module: ModuleName, yes: Type.Boolean() }),
  Type.Object({ kind: Type.Literal('switch'), module: ModuleName, isOn: Type.Boolean() }),
  /** A message over HTTP, with the sign-in of its sender. */
  Type.Object({
    kind: Type.Literal('call'),
    module: ModuleName,
    name: Type.String({ minLength: 1, maxLength: 64 }),
    params: Type.Unknown(),
    playerId: Id,
    verified: Type.Boolean(),
    scope: Type.Optional(Type.Array(Type.String())),
  }),
  /** Answered by the node that has the value in memory. */
  Type.Object({ kind: Type.Literal('read-player'), module: ModuleName, playerId: Id }),
  /**
   * As `read-player`, with the previous value. Without `value`, the player gets the defaults. `version` is that of its declaration.
   * `was`: refused as stale unless the value is still equal.
   */
  Type.Object({
    kind: Type.Literal('write-player'),
    module: ModuleName,
    playerId: Id,
    value: Type.Optional(Type.Unknown()),
    version: Type.Optional(Type.Integer({ minimum: 1 })),
    was: Type.Optional(Type.Unknown()),
  }),
  /** Asks the modules about an action of a player, without carrying it out. */
  Type.Object({ kind: Type.Literal('advise'), playerId: Id, action: PlayerAction }),
  /** Answered with the schemas of the settings of the running modules, by name. */
  Type.Object({ kind: Type.Literal('read-settings') }),
  /** Checks settings of modules by name. Answered with an `EntryCheck` for each, after pending changes of `modules.yaml`. */
  Type.Object({
    kind: Type.Literal('check-settings'),
    modules: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
  }),
  /** Answered with the name and the permission of the command of a module, found by its short or full name. */
  Type.Object({ kind: Type.Literal('find-command'), command: Type.String({ minLength: 1, maxLength: 65 }) }),
  /** Checks a value of a player, or of `record`, against the declaration. Answered with the version of the declaration. */
  Type.Object({
    kind: Type.Literal('check-data'),
    module: ModuleName,
    record: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    value: Type.Unknown(),
  }),
])

/** All topics with the schemas of their events. A new topic is one line here. */
export const topics = {
  /** The groups, name or password of an account changed, or the account was created. */
  'account-changed': Type.Object({
    playerId: Type.String(),
    email: Type.String(),
  }),
  'account-removed': Type.Object({
    playerId: Type.String(),
    email: Type.String(),
  }),
  /** A logout. Live sessions that used any token of this sign-in end. */
  'sign-in-ended': Type.Object({
    playerId: Type.String(),
    signInId: Type.String(),
  }),
  /** Configs were reloaded in one process. All others reload them, too. */
  'configs-reloaded': Type.Object({ names: Type.Array(Type.String()) }),
  /** A zone of that world was created, changed or deleted. */
  'zones-changed': Type.Object({ world: Type.String(), zoneId: Type.String() }),
  /** The spawn of the world was changed by another process. The node of the world reads it again. */
  'spawn-changed': Type.Object({ world: Type.String() }),
  /** Sanctions were imposed or ended. Other processes read the changes. */
  'sanctions-changed': Type.Object({}),
  /** A job of that place was started or cancelled. Its runner looks for it. */
  'jobs-changed': Type.Object({ place: Type.String() }),
  /** The chat of one tick of the node, or a part of it, in order. */
  'chat-said': Type.Object({
    nodeId: Id,
    lines: Type.Array(ChatLine, { maxItems: chatLinesMax }),
  }),
  /**
   * A notice for all players, or for those in that world or zone. The node `nodeId` has already shown it to its own players.
   */
  announced: Type.Object({
    text: printable(512),
    nodeId: Type.Optional(Id),
    world: Type.Optional(Id),
    zone: Type.Optional(Id),
  }),
  /** A player connected to the node. Their sessions on other nodes end, except newer ones: `at` is that of their whereabouts. */
  'player-connected': Type.Object({
    playerId: Id,
    nodeId: Id,
    at: Type.Integer({ minimum: 0 }),
    /** The sign-in is unverified, so verified sessions of the player stay. */
    unverified: Type.Optional(Type.Literal(true)),
  }),
  /** The node of the player ends their session and answers `player-kicked` with the same `id`. */
  'player-kick': Type.Object({
    id: Id,
    playerId: Id,
    reason: Type.String({ maxLength: 512, pattern: '^\\P{Cc}*$' }),
  }),
  /** The node of the player executes the order and answers `player-ordered` with the same `id`. */
  'player-order': Type.Object({ id: Id, playerId: Id, order: PlayerOrder }),
  'player-ordered': Type.Object({
    id: Id,
    playerId: Id,
    outcome: Type.Union([Type.Literal('done'), Type.Literal('no-target'), Type.Literal('busy')]),
  }),
  /** A module has sent an event to the modules of all nodes. The node `nodeId` has already passed it on to its own. */
  'module-event': Type.Object({
    nodeId: Id,
    module: ModuleName,
    name: Type.String({ minLength: 1, maxLength: 64 }),
    body: Type.Optional(Type.Unknown()),
  }),
  /** Each node that runs the world, or any world without one, executes the order and answers `module-ordered` with the same `id`. */
  'module-order': Type.Object({ id: Id, world: Type.Optional(Type.String()), order: ModuleOrder }),
  /** `absent`: the node has no such module, or not that value in memory. */
  'module-ordered': Type.Object({
    id: Id,
    nodeId: Id,
    outcome: Type.Union([Type.Literal('done'), Type.Literal('absent'), Type.Literal('refused')]),
    value: Type.Optional(Type.Unknown()),
    /** Of a refusal: a problem that may be shown to the caller. */
    problem: Type.Optional(
      Type.Object({
        kind: Type.String(),
        slug: Type.String(),
        detail: Type.String(),
        errors: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
        members: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    ),
  }),
  'player-kicked': Type.Object({ id: Id, playerId: Id, nodeId: Id }),
  /** Commands of a player were switched on or off on the node. Other nodes read the player's state. */
  'commands-switched': Type.Object({ playerId: Id, nodeId: Id }),
  /** The node has stopped running the world. Another node may take it. */
  'world-released': Type.Object({ world: Type.String(), nodeId: Type.String() }),
  /** The node now runs the world. Clients reach it at `url`. */
  'world-taken': Type.Object({ world: Type.String(), nodeId: Type.String(), url: Type.String() }),
} as const

export type Topic = keyof typeof topics
export const isTopic = (name: string): name is Topic => Object.hasOwn(topics, name)
export type EventOf<T extends Topic> = Static<(typeof topics)[T]>
export type EventHandler<T extends Topic> = (event: EventOf<T>) => void | Promise<void>

/**
 * Delivers events at most once, to every subscriber in every process, including the publisher's own. A handler that throws is logged
 * and does not affect the others.
 */
export type EventBus = {
  /** Never rejects. A lost event is logged, and version checks make up for it. */
  publish<T extends Topic>(topic: T, event: EventOf<T>): Promise<void>
  /** Resolves when deliveries start. The returned function ends the subscription. */
  subscribe<T extends Topic>(topic: T, handler: EventHandler<T>): Promise<() => void>
  close(): Promise<void>
}
