import type { Static, TSchema } from '@sinclair/typebox'
import type { BlockChange, BlockPos, Module, Placement, Vec3 } from '../../shared/domain/modules/api.ts'

/** A zone of a test game. It contains all chunks (16 × 16 blocks) that `from` and `to` touch, and all heights. */
export type TestZone = {
  readonly name: string
  readonly from: { readonly x: number; readonly z: number }
  readonly to: { readonly x: number; readonly z: number }
}
export type TestGameOptions<M extends Module = Module> = {
  readonly modules: readonly M[]
  /** The settings of modules by name, as in `modules.yaml`. */
  readonly settings?: Readonly<Record<string, object>>
  /** Of `game.random`; 1 by default. */
  readonly seed?: number
  /** A flat world of stone with grass on top; players stand at height 64. */
  readonly world?: { readonly name?: string; readonly zones?: readonly TestZone[] }
  /** The time at the start; 2026-01-01T00:00:00Z by default. Only `tick` and calls move it on. */
  readonly startMs?: number
  /** The time zone of schedules and of dates, such as `Europe/Berlin`; `UTC` by default. The process keeps it after `stop`. */
  readonly timeZone?: string
}
export type JoinOptions = {
  /** Permissions besides `world.build` and `zone.build`, for example `module.shop.buy`. */
  readonly permissions?: readonly string[]
  /** The place of the player; without it, the spawn. */
  readonly at?: Vec3
}

type MessagesOf<M> = M extends Module<infer D> ? NonNullable<D['messages']> : never
type NamesOf<M> = M extends Module ? keyof MessagesOf<M> & string : never
type MessageOf<M, N> = M extends Module ? (N extends keyof MessagesOf<M> ? MessagesOf<M>[N] : never) : never
type ParamsOf<T> = T extends { readonly params: infer S extends TSchema } ? Static<S> : never
type ReplyOf<T> = T extends { readonly reply: infer S extends TSchema } ? Static<S> : undefined

/** The error of a refused call, with the code of the answer, such as `module-rules`. Its message is the reason. */
export type CallError = Error & { readonly code: string; readonly pointer: string | undefined }
export type Outcome = { readonly ok: boolean; readonly reason: string }
/** `module` is the module that refused the edits, with its words as the reason. */
export type EditOutcome = Outcome & { readonly module?: string }
export type CommandOutcome = { readonly ok: boolean; readonly text: string }
export type Push = { readonly module: string; readonly name: string; readonly body: unknown }

/** A player of a test game. Each request ends when the server has answered; the game ticks until then. */
export type TestPlayer<M extends Module = Module> = {
  readonly id: string
  readonly name: string
  /** Texts of notices to this player, oldest first: `player.tell`, and refusals of chat. */
  readonly told: readonly string[]
  /** Lines of chat that this player saw, such as `Ada: Hello.` */
  readonly heard: readonly string[]
  readonly pushes: readonly Push[]
  /** Why the server ended the session; undefined while it lasts. */
  readonly kicked: string | undefined
  readonly place: Placement
  /** Runs a command, with or without the slash. */
  command(text: string): Promise<CommandOutcome>
  /** Changes blocks. */
  edit(changes: readonly BlockChange[]): Promise<EditOutcome>
  say(text: string): Promise<Outcome>
  /** Sends a message of a module, and resolves to its reply. Rejects with CallError if it is refused. */
  call<N extends NamesOf<M>>(name: N, params: ParamsOf<MessageOf<M, N>>): Promise<ReplyOf<MessageOf<M, N>>>
  /** Moves in a straight line at the speed of a walk, until the place is reached or a move is refused. Returns the place. */
  walk(to: Partial<Vec3>): Promise<Placement>
  leave(): Promise<void>
}
export type ModuleReport = {
  readonly name: string
  readonly state: 'running' | 'slowed' | 'off' | 'failed' | 'disabled'
  readonly faults: number
  /** The last fault. */
  readonly fault: string | undefined
}
/** A line of the server's log at level warn or error. */
export type LogLine = {
  readonly level: 'warn' | 'error'
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** The real game loop on stores in memory, with a clock of its own. Frames of players go through the codec of the protocol. */
export type TestGame<M extends Module = Module> = {
  join(name: string, options?: JoinOptions): Promise<TestPlayer<M>>
  /** Runs ticks of 50 ms; 1 by default. */
  tick(count?: number): Promise<void>
  /** The type of a block, or undefined where the land is not loaded. */
  blockAt(at: BlockPos): string | undefined
  /** Milliseconds that a module takes in a tick, on average. */
  cost(name: string): number
  /** States of the modules, by name. */
  states(): readonly ModuleReport[]
  /** Takes a snapshot of a zone for `zone.reset`. Resolves to its id. */
  snapshot(zone: string): Promise<string>
  /**
   * Replaces the modules between two ticks, as `/module reload` does. Players stay. Rejects when stored data would be lost, unless `yes`.
   */
  reload(modules: readonly M[], options?: { readonly yes?: boolean }): Promise<void>
  /** Hands the world over to a new node, as a new version of the server does. Players stay. */
  handOver(): Promise<void>
  /** Starts the server again with stored values only, like a server after a crash. Players connect again. */
  restart(): Promise<void>
  /** Makes the store fail, until the returned function is called. A player who joins then is asked to try again: see `kicked`. */
  storeFails(): () => void
  /** Warnings and errors in the log, oldest first. */
  readonly log: readonly LogLine[]
  /**
   * Ends the game. Rejects if a handler of `on`, a timer, a schedule or a job has failed, because no call of the test sees that. A test that
   * expects such a fault reads `log` or `states()` after it.
   */
  stop(): Promise<void>
}
