import { describeEnd } from '../../shared/domain/sanctions/banned-error.ts'
import type { Sanction } from '../../shared/domain/sanctions/sanction.ts'
import type { Game } from '../game/game.ts'
import type { ClientMessageKind } from '../protocol/messages.ts'
import type { Session } from '../sessions/session.ts'

export type MessageCase = ClientMessageKind['$case']

/** What a message of each kind holds. */
export type MessageValues = { readonly [M in ClientMessageKind as M['$case']]: M['value'] }

/** One kind of message, and all that there is of it. */
export type MessageHandler<C extends MessageCase> = {
  /** What it takes from the sender's budget of messages a second, whatever it holds or for what it holds; an ordinary one costs 1. */
  readonly cost: number | ((value: MessageValues[C]) => number)
  /** Runs within a tick: it never waits. */
  readonly handle: (game: Game, session: Session, value: MessageValues[C]) => void
}

/** Tells a player who may not speak why, and for how long. */
export const sendMuted = (session: Session, { reason, until }: Pick<Sanction, 'reason' | 'until'>, seq?: number): void => {
  const message = `You are muted: ${reason} (${describeEnd({ until })}.)`
  const value = { code: 'muted', message, reason, ...(until !== undefined && { until }), ...(seq !== undefined && { seq }) }
  session.connection?.send({ $case: 'error', value })
}

/** Tells the sender what is wrong with a message. */
export const sendError = (session: Session, code: string, message: string, seq?: number): void =>
  session.connection?.send({ $case: 'error', value: seq === undefined ? { code, message } : { code, message, seq } })
