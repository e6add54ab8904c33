import type { Account } from '../../../shared/domain/accounts/account.ts'
import { isRevokedBy, type Revocation } from '../../../shared/domain/tokens/tokens.ts'
import type { EntryRules } from '../../sessions/entry-rules.ts'
import { closings } from '../../socket/closing.ts'
import type { Game } from '../game.ts'
import type { Admission } from './admission.ts'
import type { Warnings } from './warnings.ts'

/** Applies changes of accounts, sign-ins and groups to the sessions in the next tick. */
export type LiveAccounts = {
  listPlayerIds(): readonly string[]
  /** The current account. Undefined: it was deleted, and its session ends. */
  accountRead(playerId: string, account: Account | undefined): void
  signInEnded(revocation: Revocation): void
  groupsChanged(): void
  /** Grants may have expired. */
  timePassed(): void
  /** Bans or warnings may have changed. */
  sanctionsChanged(): void
  /** This player, or any player if undefined, is about to be read again. */
  noteChange(playerId?: string): void
}

type LiveAccountsDeps = {
  readonly game: Game
  readonly admission: Pick<Admission, 'noteChange'>
  readonly entry: EntryRules
  readonly warnings: Pick<Warnings, 'tell'>
}

export const createLiveAccounts = ({ game, admission, entry, warnings }: LiveAccountsDeps): LiveAccounts => ({
  listPlayerIds: () => [...game.sessions.all()].map(({ account }) => account.playerId),
  accountRead: (playerId, account) =>
    game.enqueue(() => {
      const session = game.sessions.find(playerId)
      if (session === undefined || session.account === account) return
      if (account === undefined) {
        game.endSession(session, closings.accountRemoved)
        return
      }
      game.access.applyAccount(session, account)
      game.sessions.noteName(session)
    }),
  signInEnded: (revocation) =>
    game.enqueue(() => {
      const session = game.sessions.find(revocation.playerId)
      if (session === undefined) return
      const { signInId, signedInAt } = session
      if (isRevokedBy(revocation, { playerId: revocation.playerId, signInId, signedInAt }))
        game.endSession(session, closings.signInEnded)
    }),
  groupsChanged: () => game.enqueue(() => game.access.review(game.sessions.all())),
  timePassed: () =>
    game.enqueue(() => {
      for (const session of game.sessions.all()) game.access.noteEnded(session)
    }),
  sanctionsChanged: () =>
    game.enqueue(() => {
      for (const session of [...game.sessions.all()]) {
        const closing = entry.findClosing(session.account, session)
        if (closing === undefined) warnings.tell(session)
        else game.endSession(session, closing)
      }
    }),
  noteChange: (playerId) => admission.noteChange(playerId),
})
