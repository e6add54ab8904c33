import type { Static, TSchema } from '@sinclair/typebox'

// Values.

/** A point or a direction, in blocks. `y` points up. */
export type Vec3 = { readonly x: number; readonly y: number; readonly z: number }
/** A point and the direction of a view, in degrees. */
export type Placement = Vec3 & { readonly yaw: number; readonly pitch: number }
/** The position of a block: three integers. */
export type BlockPos = Vec3
/** The new type of one block, for example `stone`. */
export type BlockChange = BlockPos & { readonly type: string }
/** A block that changes, with its type before and after. */
export type BlockEdit = BlockPos & { readonly from: string; readonly to: string }
/** Refuses a request. The player sees the reason. */
export type Refusal = { readonly refuse: string }
export type Severity = 'info' | 'warning' | 'error'

// Declarations. They are data: the HTTP half and the console read them, and clients take their types from them.

/** Stored values of one kind: their schema, its version (1 by default), and how to read the values of older versions. */
export type RecordDef<S extends TSchema = TSchema> = {
  readonly schema: S
  readonly version?: number
  /** The first function makes version 2 of version 1, the next one version 3 of version 2. */
  readonly migrate?: readonly ((old: never) => unknown)[]
}
/** A message that clients send. */
export type MessageDef = {
  readonly params: TSchema
  readonly reply?: TSchema
  /** Tokens that a call takes from the player's limit of messages; 1 by default. */
  readonly cost?: number
  /** The full name of the permission to send it, for example `module.shop.buy`. Without one, all players can send it. */
  readonly permission?: string
  /** Accepts the message at `POST /api/modules/{name}/{message}` too. */
  readonly http?: boolean
  readonly description?: string
}
export type Declarations = {
  /** The settings of the module in `modules.yaml`. */
  readonly settings?: TSchema
  /** Messages from clients. Each has a handler in `receive`. */
  readonly messages?: Readonly<Record<string, MessageDef>>
  /** Messages to clients, and the schemas of their bodies. */
  readonly pushes?: Readonly<Record<string, TSchema>>
  /** Data of this module for each player. New players get the defaults of the schema. */
  readonly player?: RecordDef
  /** Collections of stored values by id. */
  readonly records?: Readonly<Record<string, RecordDef>>
  /** One value for each world. New worlds get the defaults of the schema. */
  readonly state?: RecordDef | TSchema
  /** Descriptions of permissions by their full name (`module.NAME.word`), for the console and the list of permissions. */
  readonly permissions?: Readonly<Record<string, string>>
}

type Of<T, Otherwise = undefined> = T extends TSchema ? Static<T> : Otherwise
type DataOf<T> = T extends RecordDef<infer S> ? Static<S> : Of<T>
type RecordsOf<D extends Declarations> = NonNullable<D['records']>
type MessagesOf<D extends Declarations> = NonNullable<D['messages']>
type PushesOf<D extends Declarations> = NonNullable<D['pushes']>

// What handlers get.

/** A player as `decide` handlers see them: without effects. */
export type PlayerInfo<D extends Declarations = Declarations> = {
  /** The playerId: it never changes, and names the player in records. */
  readonly id: string
  /** The display name. It can change, and two players can have the same one. */
  readonly name: string
  readonly groups: readonly string[]
  readonly place: Placement
  /** Whether the connection is lost. The player stays in the world until they resume or the wait ends. */
  readonly isLost: boolean
  readonly data: Readonly<DataOf<D['player']>>
  /** Whether the player has a permission at their place. Throws if the module does not declare it, and the server does not have it. */
  may(permission: string): boolean
}
export type Player<D extends Declarations = Declarations> = Omit<PlayerInfo<D>, 'data'> & {
  /**
   * Data of this module for this player. Change it in place within a handler. The server writes it within ten seconds, when the player
   * leaves, and before a hand-over. It must fit its schema when the handler returns. A handler that fails leaves it unchanged. Only
   * `on.tick` keeps its changes.
   */
  readonly data: DataOf<D['player']>
  /** Shows a line of text to the player. */
  tell(text: string, severity?: Severity): void
  /** Sends a declared push to the player's client. */
  push<N extends keyof PushesOf<D> & string>(name: N, body: Of<PushesOf<D>[N]>): void
  /** Moves the player. Without `yaw` and `pitch` the view keeps its direction. */
  teleport(to: Vec3 & Partial<Placement>): void
  /** Ends the player's session with a reason. */
  kick(reason: string): void
}
/** The sender of a message with `http: true`. It has no place when the message came over HTTP. */
export type Sender<D extends Declarations = Declarations> = Omit<Player<D>, 'place'> & { readonly place: Placement | undefined }

/** A zone as `decide` handlers see it. */
export type ZoneInfo<D extends Declarations = Declarations> = {
  readonly id: string
  readonly name: string
  /** Players in the zone. */
  players(): Iterable<PlayerInfo<D>>
}
export type Zone<D extends Declarations = Declarations> = Omit<ZoneInfo<D>, 'players'> & {
  /** Players in the zone. */
  players(): Iterable<Player<D>>
  /** Puts the blocks of a snapshot back. `settled` runs in a later tick, with the reason if the reset was refused. */
  reset(snapshot: string, settled?: (reason: string | undefined) => void): void
}
/** What a ray hits first. */
export type RayHit<D extends Declarations = Declarations> = { readonly block?: BlockPos; readonly player?: PlayerInfo<D> }

/** The world as `decide` handlers see it: to read. */
export type WorldInfo<D extends Declarations = Declarations> = {
  readonly name: string
  /** The place where new players appear, on the ground. They stand at most 8 blocks from it, in each direction. */
  readonly spawn: Vec3
  /** The type of a block, or undefined where the land is not loaded. */
  blockAt(at: BlockPos): string | undefined
  /** The height of the highest solid block, or undefined where the land is not loaded. */
  topAt(x: number, z: number): number | undefined
  /** The first solid block or player within `max` blocks of `from`. */
  castRay(from: Vec3, direction: Vec3, max: number): RayHit<D> | undefined
  /** The zone at a point. Where zones overlap, the one that decides about edits. */
  zoneAt(at: Vec3): ZoneInfo<D> | undefined
  /** A zone by its name or id. */
  zone(nameOrId: string): ZoneInfo<D> | undefined
}
export type EditOptions<D extends Declarations = Declarations> = {
  /** Edits by the rights of this player, as if they sent it. Without it, the module edits. */
  readonly by?: Player<D>
  /** Runs in a later tick: without a reason when the edit is durable, with one when it was refused. */
  readonly settled?: (reason: string | undefined) => void
}
export type World<D extends Declarations = Declarations> = Omit<WorldInfo<D>, 'zoneAt' | 'zone'> & {
  zoneAt(at: Vec3): Zone<D> | undefined
  zone(nameOrId: string): Zone<D> | undefined
  /** Changes blocks once the handler has returned: all of them, or none. */
  edit(changes: readonly BlockChange[], options?: EditOptions<D>): void
}

export type StoredRecord<T> = { readonly value: T; readonly version: string }
/** A collection of stored values. Use it within the work of `game.later`. A write is durable when its promise resolves. */
export type Records<T> = {
  get(id: string): Promise<StoredRecord<T> | undefined>
  /** Writes a value and returns its version. With `ifVersion`, rejects with `changed-since` unless that version is stored; null: none. */
  put(id: string, value: T, when?: { readonly ifVersion: string | null }): Promise<string>
  /** Returns whether there was a value. */
  delete(id: string): Promise<boolean>
  /** Values in the order of their ids. `cursor` is the `nextCursor` of the page before. */
  list(options?: { readonly prefix?: string; readonly limit?: number; readonly cursor?: string }): Promise<{
    readonly records: readonly (StoredRecord<T> & { readonly id: string })[]
    readonly nextCursor?: string
  }>
}
/** One write of a commit. With `ifVersion`, the commit rejects with `changed-since` unless that version is stored; null: none. */
export type RecordWrite<D extends Declarations> = {
  [N in keyof RecordsOf<D> & string]: { readonly record: N; readonly id: string; readonly ifVersion?: string | null } & (
    | { readonly value: DataOf<RecordsOf<D>[N]> }
    | { readonly delete: true }
  )
}[keyof RecordsOf<D> & string]

export type Clock = {
  /** The number of the running tick. A second has 20. */
  readonly tick: number
  /** Milliseconds since 1970. */
  nowMs(): number
  /** The current date and time. */
  today(): Date
}
export type Random = {
  /** A number from 0 up to 1. */
  next(): number
  /** An integer from 0 up to `below`. */
  int(below: number): number
  /** A roll in dice notation, for example `2d6+1`. */
  dice(text: string): number
}
export type Log = {
  info(text: string, fields?: object): void
  warn(text: string, fields?: object): void
  error(text: string, fields?: object): void
}

/** The game as `decide` handlers see it: to read. */
export type GameInfo<D extends Declarations = Declarations> = {
  readonly settings: Of<D['settings'], Record<string, never>>
  readonly state: Readonly<DataOf<D['state']>>
  readonly world: WorldInfo<D>
  readonly players: {
    all(): Iterable<PlayerInfo<D>>
    find(idOrName: string): PlayerInfo<D> | undefined
    near(at: Vec3, radius: number): Iterable<PlayerInfo<D>>
  }
  readonly time: Clock
  readonly random: Random
  readonly log: Log
}
/** The game as all other handlers see it. Effects happen after the handler returns, and only if it does not throw. */
export type Context<D extends Declarations = Declarations> = Omit<GameInfo<D>, 'state' | 'world' | 'players'> & {
  /** The value of this world. Change it in place within a handler. The server writes it as it writes `player.data`. */
  readonly state: DataOf<D['state']>
  readonly world: World<D>
  readonly players: {
    /** All players in the world. */
    all(): Iterable<Player<D>>
    /** A player in the world by playerId or display name. */
    find(idOrName: string): Player<D> | undefined
    /** Players at most `radius` blocks from a point. */
    near(at: Vec3, radius: number): Iterable<Player<D>>
  }
  readonly records: { readonly [N in keyof RecordsOf<D>]: Records<DataOf<RecordsOf<D>[N]>> }
  /** Up to ten writes, all or nothing. Use it within the work of `game.later`. */
  commit(writes: readonly RecordWrite<D>[]): Promise<void>
  /** Runs a function once. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
  /** Runs a function repeatedly. Returns a function that ends it. */
  every(ms: number, run: () => void): () => void
  /**
   * Work outside of the tick: a store, a web request. `then` runs in a later tick with its result, `failed` with its error. After a
   * reload or a stop neither of them runs, and `signal` aborts.
   */
  later<T, R, F = R>(
    work: (signal: AbortSignal) => Promise<T>,
    then: (result: T) => R,
    failed?: (error: unknown) => F,
  ): Later<R | F>
  /** Long work, spread over ticks: a generator that yields where it can pause. A name runs once at a time. */
  job(name: string, work: () => Generator<void, void, void>): void
  /** Sends an event to `on.event` of all modules, on all nodes. */
  emit(name: string, body: unknown): void
}

// Events.

export type DecideEvents<D extends Declarations> = {
  /** A player connects. The reason is the last that they see. */
  join: { readonly player: PlayerInfo<D> }
  /** A player sends a chat line. The handler can change `text`. */
  chat: { readonly player: PlayerInfo<D>; readonly channel: string; text: string }
  /** A player runs a command. */
  command: { readonly player: PlayerInfo<D>; readonly name: string; readonly text: string }
  /** A player changes blocks. A refusal refuses all changes of the message. */
  edit: { readonly player: PlayerInfo<D>; readonly changes: readonly BlockEdit[] }
  /** A player crosses the border of a zone; with `needs: ['every-move']`, each move. */
  move: { readonly player: PlayerInfo<D>; readonly to: Placement }
}
export type TellEvents<D extends Declarations> = {
  /** The module starts: with the server, after a reload, or when an admin enables it. */
  start: Record<never, never>
  stop: { readonly reason: 'reload' | 'hand-over' | 'shutdown' | 'disabled' }
  /** 20 times a second. */
  tick: { readonly dtMs: number }
  /** A player is in the world. `isResumed` after a lost connection or a hand-over. */
  joined: { readonly player: Player<D>; readonly isResumed: boolean }
  left: { readonly player: Player<D>; readonly reason: string }
  /** A chat line was sent. */
  said: { readonly player: Player<D>; readonly channel: string; readonly text: string }
  /** Blocks have changed. Without `by`, a module or the server changed them. */
  edited: { readonly by: Player<D> | undefined; readonly changes: readonly BlockEdit[] }
  zoneEntered: { readonly player: Player<D>; readonly zone: Zone<D> }
  zoneLeft: { readonly player: Player<D>; readonly zone: Zone<D> }
  /** The settings of this module in `modules.yaml` have changed. `game.settings` has the new ones. */
  settingsChanged: { readonly before: Of<D['settings'], Record<string, never>> }
  /** Config files have changed, for example `blocks.yaml`. */
  configsChanged: { readonly names: readonly string[] }
  /** A module has sent an event with `game.emit`. */
  event: { readonly module: string; readonly name: string; readonly body: unknown }
}

/** Nothing: the value of a function without a return statement. */
type Nothing = ReturnType<() => void>
/** Any value but a promise: a handler runs within a tick and is never async. Use `game.later` for work outside of the tick. */
type Ignored =
  | Nothing
  | undefined
  | null
  | boolean
  | number
  | string
  | Later<unknown>
  | ((...parameters: never) => unknown)
  | { readonly then?: never }
type Decides<D extends Declarations> = {
  readonly [N in keyof DecideEvents<D>]?: (event: DecideEvents<D>[N], game: GameInfo<D>) => Nothing | undefined | Refusal
}
type Listens<D extends Declarations> = {
  readonly [N in keyof TellEvents<D>]?: (event: TellEvents<D>[N], game: Context<D>) => Ignored
}
declare const later: unique symbol
/** An answer that comes in a later tick. Only `game.later` makes one. */
export type Later<R> = { readonly [later]: R }
type ReplyOf<M extends MessageDef> = M['reply'] extends TSchema ? Static<M['reply']> : undefined | Nothing
type SenderOf<M extends MessageDef, D extends Declarations> = M extends { readonly http: true } ? Sender<D> : Player<D>
type Receives<D extends Declarations> = {
  readonly [N in keyof MessagesOf<D>]: (
    player: SenderOf<MessagesOf<D>[N], D>,
    params: Static<MessagesOf<D>[N]['params']>,
    game: Context<D>,
  ) => ReplyOf<MessagesOf<D>[N]> | Refusal | Later<ReplyOf<MessagesOf<D>[N]> | Refusal>
}

// Commands.

/**
 * The kinds of arguments. A `player` gives the playerId, a `duration` (`10m`) milliseconds. A `coordinate` gives a number, with `~`
 * resolved. A `text` is the rest of the line.
 */
export type ArgumentKind = 'word' | 'text' | 'number' | 'player' | 'duration' | 'coordinate'
export type ArgumentDef = { readonly name: string; readonly kind: ArgumentKind; readonly optional?: boolean }
/** The arguments of one way to write a command. */
export type CommandForm = readonly ArgumentDef[]
type ArgumentOf<A extends ArgumentDef> =
  | (A['kind'] extends 'number' | 'duration' | 'coordinate' ? number : string)
  | (A extends { readonly optional: true } ? undefined : never)
type FormArguments<F extends CommandForm, Name extends string> = F extends CommandForm
  ? {
      readonly [N in Name]: N extends F[number]['name'] ? ArgumentOf<Extract<F[number], { readonly name: N }>> : undefined
    }
  : never
/** The arguments of a command by name, one member for each form. An argument that is not given is undefined. */
export type ArgumentsOf<F extends readonly CommandForm[]> = FormArguments<F[number], F[number][number]['name']>
export type CommandDef<D extends Declarations, F extends readonly CommandForm[] = readonly CommandForm[]> = {
  /** One sentence for `/help`. */
  readonly description: string
  /** The ways to write it. `[[]]` is a command without arguments. */
  readonly forms: F
  /** The full name of a permission of the module (`module.homes.set`) or of the server (`world.fly`), or `none` for all players. */
  readonly permission: 'none' | `${string}.${string}`
  /** Requires a sign-in with a password, as `/ban` does. */
  readonly privileged?: boolean
  /** Runs the command. `caller` is undefined for the console of the server. The caller sees the returned text. */
  readonly run: (
    caller: Player<D> | undefined,
    args: ArgumentsOf<F>,
    game: Context<D>,
  ) => string | Refusal | Later<string | Refusal>
}
type Commands = Readonly<Record<string, readonly CommandForm[]>>
export type ScheduleDef<D extends Declarations> = {
  /** Minute, hour, day of the month, month, day of the week, in the time zone of the server. */
  readonly cron: string
  readonly run: (game: Context<D>) => Ignored
}

// A module.

export type ModuleSpec<D extends Declarations = Declarations, C extends Commands = Commands> = {
  /** The name in `modules.yaml`, permissions and messages: lower-case letters, digits and dashes. */
  readonly name: string
  /** The version of this interface. It only grows. */
  readonly api: 1
  /** `every-move`: call `decide.move` for each move, not only at borders of zones. */
  readonly needs?: readonly 'every-move'[]
  /** Modules whose `decide` handlers come first. */
  readonly after?: readonly string[]
  readonly declare?: D
  /** Asked before something happens. Returns a refusal, or nothing to allow it. Effects are an error here. */
  readonly decide?: Decides<D>
  /** Called after something has happened. */
  readonly on?: Listens<D>
  readonly commands?: { readonly [N in keyof C]: CommandDef<D, C[N]> }
  readonly schedules?: Readonly<Record<string, ScheduleDef<D>>>
  /** `tickMs`: the limit on average for each tick. `keep`: stays on when it is slow for long. */
  readonly budget?: { readonly tickMs?: number; readonly keep?: boolean }
} & (D extends { readonly messages: object } ? { readonly receive: Receives<D> } : { readonly receive?: undefined })
/** A defined module. Clients take its types by `import type`. */
export type Module<D extends Declarations = Declarations> = { readonly '~declarations': D; readonly name: string }

/** Defines a module: the default export of its file. Checks types only; the server checks the rest when it loads the module. */
export const defineModule = <const D extends Declarations, const C extends Commands = Commands>(
  spec: ModuleSpec<D, C>,
): Module<D> => spec as unknown as Module<D>
