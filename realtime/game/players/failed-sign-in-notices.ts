import { takeUnseenFailures } from '../../../shared/domain/accounts/failed-sign-ins.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import type { Session } from '../../sessions/session.ts'
import type { Game } from '../game.ts'

/** Informs players, once, about wrong passwords that were tried before their sign-in. Owned by the game loop. */
export type FailedSignInNotices = {
  tell(session: Session): void
}

type Deps = { readonly game: Pick<Game, 'later' | 'log'>; readonly store: Pick<Store, 'get' | 'put'> }

export const createFailedSignInNotices = ({ game, store }: Deps): FailedSignInNotices => ({
  tell: ({ account, verified, connection }) => {
    if (!verified) return
    game.later(
      takeUnseenFailures(store, account.playerId),
      ({ count, lastAt = '' }) => {
        if (count === 0) return
        const times = count === 1 ? 'once' : `${count} times`
        const last = `${lastAt.slice(0, 10)} ${lastAt.slice(11, 16)} UTC`
        const text = `Before this sign-in, a wrong password was tried ${times} for your account, last on ${last}. If that was not you, change your password.`
        connection?.send({ $case: 'notice', value: { severity: 'warning', kind: 'failed-sign-ins', text } })
      },
      (error) => game.log.warn({ err: error }, 'failed sign-ins of a player could not be read'),
    )
  },
})
