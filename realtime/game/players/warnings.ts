import { isLimitedSignIn } from '../../../shared/domain/permissions/limited-sign-in.ts'
import type { ActiveSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import type { SanctionService } from '../../../shared/domain/sanctions/sanction-service.ts'
import type { Session, SessionConnection } from '../../sessions/session.ts'
import type { Game } from '../game.ts'

/** A client that sends a message this long after a warning has received it. No frame confirms it directly. */
const receivedAfterMs = 2_000

/**
 * Sends warnings immediately or after the next Welcome, and repeats them until the player has received them. Limited sign-ins get
 * none, because another person may use them. Owned by the game loop.
 */
export type Warnings = {
  /** Sends the pending warnings to the client of the session. */
  tell(session: Session): void
  /** The client has sent a message. */
  heard(session: Session): void
}

export type WarningsDeps = {
  readonly game: Pick<Game, 'nowMs' | 'later' | 'log'>
  readonly sanctions: Pick<SanctionService, 'noteSeen'>
  readonly activeSanctions: Pick<ActiveSanctions, 'listWarnings'>
}

type Told = { readonly ids: Set<string>; lastMs: number; isNoted: boolean }

export const createWarnings = ({ game, sanctions, activeSanctions }: WarningsDeps): Warnings => {
  const told = new WeakMap<SessionConnection, Told>()
  return {
    tell: ({ account, verified, connection }) => {
      if (connection === undefined || isLimitedSignIn(account, verified)) return
      const known = told.get(connection) ?? { ids: new Set<string>(), lastMs: 0, isNoted: false }
      for (const { id, reason } of activeSanctions.listWarnings(account.email)) {
        if (known.ids.has(id)) continue
        known.ids.add(id)
        known.lastMs = game.nowMs()
        known.isNoted = false
        told.set(connection, known)
        connection.send({ $case: 'notice', value: { severity: 'warning', kind: 'warning', text: `Warning: ${reason}` } })
      }
    },
    heard: ({ account, verified, connection }) => {
      if (isLimitedSignIn(account, verified)) return
      const known = connection && told.get(connection)
      if (known === undefined || known.isNoted || game.nowMs() - known.lastMs < receivedAfterMs) return
      known.isNoted = true
      game.later(
        sanctions.noteSeen(account.email, [...known.ids]),
        () => {},
        (error) => game.log.warn({ err: error }, 'the receipt of a warning could not be stored; it will be shown again'),
      )
    },
  }
}
