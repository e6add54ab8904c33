import { describeEnd } from '../../shared/domain/sanctions/banned-error.ts'
import type { Sanction } from '../../shared/domain/sanctions/sanction.ts'
import type { Game } from '../game/game.ts'
import type { ClientMessageKind } from '../protocol/messages.ts'
import type { Session } from '../sessions/session.ts'

export type MessageCase = ClientMessageKind['$case']

/** The content of a message of each kind. */
export type MessageValues = { readonly [M in ClientMessageKind as M['$case']]: M['value'] }

/** The handler of one kind of message. */
export type MessageHandler<C extends MessageCase> = {
  /** The cost in the sender's budget of messages, fixed or by content. An ordinary message costs 1. */
  readonly cost: number | ((value: MessageValues[C]) => number)
  /** Runs within a tick and never waits. */
  readonly handle: (game: Game, session: Session, value: MessageValues[C]) => void
}

/** Sends a muted player the reason and the end of the mute. */
export const sendMuted = (session: Session, { reason, until }: Pick<Sanction, 'reason' | 'until'>, seq?: number): void => {
  const message = `You are muted: ${reason} (${describeEnd({ until })}.)`
  const value = { code: 'muted', message, reason, ...(until !== undefined && { until }), ...(seq !== undefined && { seq }) }
  session.connection?.send({ $case: 'error', value })
}

/** Sends the sender what is wrong with a message. */
export const sendError = (session: Session, code: string, message: string, seq?: number): void =>
  session.connection?.send({ $case: 'error', value: seq === undefined ? { code, message } : { code, message, seq } })
