import type { MoveRefusal } from '../../shared/rules/movement/move-budget.ts'

/** Messages and bytes of all connections since the last tick. */
export type Traffic = { messagesIn: number; bytesIn: number; framesOut: number; bytesOut: number }

/** The number of waiting entries of a node, by kind. */
export type QueueDepths = {
  /** Messages and results for the next tick. */
  readonly inbox: number
  /** Asynchronous work for a later tick: token checks, commands, audit entries. */
  readonly work: number
  /** Edits that are not durable yet. */
  readonly edits: number
  /** Changed columns that are not written yet. */
  readonly chunkWrites: number
  /** New columns that are not written yet. */
  readonly terrainWrites: number
  /** Places of players that are not written yet. */
  readonly places: number
}

/** The current state of a node. `damaged` counts from the start. */
export type RealtimeState = {
  readonly sessions: { readonly connected: number; readonly detached: number }
  /** The number of open feed sockets. */
  readonly feeds: number
  readonly columns: { readonly loaded: number; readonly loading: number; readonly damaged: number }
  readonly queues: QueueDepths
}

/** The lease of the node's world. */
export type LeaseState = { readonly fence: number; isHeld(): boolean; sinceRenewalMs(): number }

/**
 * The outcomes of chat lines.
 * - said: sent on this node
 * - heard: received from another node
 * - refused: not sent because there was too much chat
 * - dropped: from another node, not sent because there was too much chat
 */
export const chatOutcomes = ['said', 'heard', 'refused', 'dropped'] as const
export type ChatOutcome = (typeof chatOutcomes)[number]

/** The metrics of modules, by name of the module. */
export type ModuleMetrics = {
  /** The time of the module's code in a tick. */
  observeTick(module: string, seconds: number): void
  countFault(module: string): void
  /** A handler was ended by the time limit. */
  countCut(module: string): void
  /** Bytes of texts and pushes to clients. */
  countBytes(module: string, bytes: number): void
  /** Values of the store that were written or deleted: records, data of players, and states. */
  countRecordWrites(module: string, writes: number): void
}

/** The metrics of the real-time node. Values that can be read on demand cost nothing in a tick. */
export type RealtimeMetrics = {
  /** A tick with its duration, the time since the start of the previous tick, and the traffic until its end. */
  observeTick(seconds: number, sincePreviousSeconds: number, traffic: Readonly<Traffic>): void
  /** Sets the tick rate, and how to read the state of the node. */
  watch(node: { readonly tickRate: number; readonly lease: LeaseState; readonly state: () => RealtimeState }): void
  /** The server closed a connection. */
  countClosing(code: string): void
  /** The server refused an upgrade to WebSocket with this status. */
  countRefusedUpgrade(status: number): void
  /** The server closed a feed. */
  countFeedClosing(code: string): void
  countFeedFrame(bytes: number): void
  /** An edit of a player is durable, or was refused for this reason. */
  countEdit(refusal: string | undefined): void
  /** A move was refused for this reason and answered with a Correction. */
  countRefusedMove(reason: MoveRefusal | 'blocked' | 'edge' | 'zone-closed' | 'module-rules'): void
  /** A command was run, or refused with this code. */
  countCommand(outcome: string): void
  countChat(outcome: ChatOutcome, lines: number): void
  readonly modules: ModuleMetrics
}

export const createTraffic = (): Traffic => ({ messagesIn: 0, bytesIn: 0, framesOut: 0, bytesOut: 0 })

/** Records nothing. */
export const noRealtimeMetrics: RealtimeMetrics = {
  observeTick: () => {},
  watch: () => {},
  countClosing: () => {},
  countRefusedUpgrade: () => {},
  countFeedClosing: () => {},
  countFeedFrame: () => {},
  countEdit: () => {},
  countRefusedMove: () => {},
  countCommand: () => {},
  countChat: () => {},
  modules: {
    observeTick: () => {},
    countFault: () => {},
    countCut: () => {},
    countBytes: () => {},
    countRecordWrites: () => {},
  },
}
