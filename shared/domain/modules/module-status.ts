import type { SourcePlace } from './module-source.ts'

/** The last fault of a module, as admins see it. */
export type ModuleFault = Partial<SourcePlace> & {
  /** When it happened, as a date and time. */
  readonly at: string
  /** Also in the log and in the answer to the caller. */
  readonly id: string
  readonly message: string
  /** Such as `on.joined`; absent if the module did not load. */
  readonly handler?: string
}

/** The time of one handler of a module in the last minute. */
export type HandlerCost = {
  /** Its place in the definition, such as `on.tick`. */
  readonly handler: string
  readonly calls: number
  /** On average, in milliseconds. */
  readonly msPerCall: number
  readonly longestMs: number
}

/** A module of this node, running or not, as admins see it. */
export type ModuleStatus = {
  readonly name: string
  /** Empty if it has none. */
  readonly version: string
  readonly api: number
  readonly state: 'running' | 'slowed' | 'off' | 'failed' | 'disabled'
  /** Why it is slowed or off, as part of a sentence. */
  readonly reason?: string
  readonly required: boolean
  readonly fault?: ModuleFault
  readonly msPerTick: number
  /** The handlers with the most time in the last minute, the slowest first. */
  readonly handlers: readonly HandlerCost[]
  readonly faults: number
  /** Stored values that were set aside. */
  readonly setAside: number
  readonly entities: number
  readonly commands: readonly string[]
  readonly messages: readonly string[]
  readonly permissions: readonly string[]
}
