import type { MoveRefusal } from '../../shared/rules/movement/move-budget.ts'

/** Messages and bytes of all connections since the last tick. */
export type Traffic = { messagesIn: number; bytesIn: number; framesOut: number; bytesOut: number }

/** What waits on a node, in entries of each kind. */
export type QueueDepths = {
  /** Messages and results for the next tick. */
  readonly inbox: number
  /** Work outside that a later tick goes on with: checks of tokens, commands, audits. */
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

/** A node at the moment when somebody looks; `damaged` counts from the start. */
export type RealtimeState = {
  readonly sessions: { readonly connected: number; readonly detached: number }
  /** Open sockets of zone feeds. */
  readonly feeds: number
  readonly columns: { readonly loaded: number; readonly loading: number; readonly damaged: number }
  readonly queues: QueueDepths
}

/** The lease of the node's world. */
export type LeaseState = { readonly fence: number; isHeld(): boolean; sinceRenewalMs(): number }

/** What became of lines of chat: said here, heard of another node, refused here as there was too much, or of another node and dropped for that. */
export const chatOutcomes = ['said', 'heard', 'refused', 'dropped'] as const
export type ChatOutcome = (typeof chatOutcomes)[number]

/** What the real-time node counts. Whatever can be asked for when somebody looks costs a tick nothing. */
export type RealtimeMetrics = {
  /** A tick that took so long and began so long after the one before, and the traffic up to its end. */
  observeTick(seconds: number, sincePreviousSeconds: number, traffic: Readonly<Traffic>): void
  /** What ticks there are and where to ask how the node is. */
  watch(node: { readonly tickRate: number; readonly lease: LeaseState; readonly state: () => RealtimeState }): void
  /** A connection was closed by the server. */
  countClosing(code: string): void
  /** An upgrade to WebSocket was answered with that status. */
  countRefusedUpgrade(status: number): void
  /** A zone feed was closed by the server. */
  countFeedClosing(code: string): void
  countFeedFrame(bytes: number): void
  /** An edit of a player was settled: durable, or refused with that reason. */
  countEdit(refusal: string | undefined): void
  /** A move was refused with that reason, and answered with a Correction. */
  countRefusedMove(reason: MoveRefusal | 'blocked' | 'edge' | 'zone-closed'): void
  /** A command was answered: run, or refused with that code. */
  countCommand(outcome: string): void
  countChat(outcome: ChatOutcome, lines: number): void
}

export const createTraffic = (): Traffic => ({ messagesIn: 0, bytesIn: 0, framesOut: 0, bytesOut: 0 })

/** Counts nothing. */
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
}
