import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import { isLimitedSignIn } from '../../../shared/domain/permissions/limited-sign-in.ts'
import { readIgnored } from '../../../shared/domain/players/ignored-players.ts'
import { readDisabledCommands, type SavedPosition } from '../../../shared/domain/players/player-state.ts'
import type { TokenRecord, TokenStore } from '../../../shared/domain/tokens/tokens.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { startTimeLimit } from '../../../shared/kernel/time-limit.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { failSpan, serveInSpan } from '../../../shared/platform/tracing/spans.ts'
import { type Closing, closings } from '../../socket/closing.ts'
import type { PositionSaver } from '../../world/position-saver.ts'
import type { ModuleHooks, PlayerValues } from '../module-hooks.ts'

/** The account of a token, and the initial state of its session. */
export type Admitted = {
  readonly grant: TokenRecord
  readonly account: Account
  readonly disabled: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
  /** The last position of the player in this world. Undefined for a new player or a limited sign-in. */
  readonly place: SavedPosition | undefined
  /** The data of modules for the player. */
  readonly values: PlayerValues
}

export type AuthenticateDeps = {
  readonly tokens: TokenStore
  readonly accountStore: AccountStore
  readonly store: Store
  readonly places: Pick<PositionSaver, 'read'>
  readonly modules: Pick<ModuleHooks, 'loadPlayer'>
  readonly log: Log
  /** The time for all reads of a check, in milliseconds: 15,000 when absent. */
  readonly limitMs?: number
}

const explain = (error: unknown, log: Log): Closing => {
  const isKnown = error instanceof AppError && error.kind === 'unavailable'
  log.warn({ cause: error instanceof Error ? error.message : 'unknown', isKnown }, 'a connection could not be checked')
  return {
    ...closings.unavailable,
    retryAfterSeconds: (isKnown ? error.retryAfterSeconds : undefined) ?? closings.unavailable.retryAfterSeconds,
  }
}

const check = async (
  { tokens, accountStore, store, places, modules, log }: AuthenticateDeps,
  token: string,
  isWanted: () => boolean,
): Promise<Admitted | Closing> => {
  try {
    const grant = await tokens.find(token)
    if (grant === undefined) return closings.invalidToken
    if (!isWanted()) return closings.left
    const account = await accountStore.findByPlayerId(grant.playerId)
    if (account === undefined) return closings.invalidToken
    if (!isWanted()) return closings.left
    const { playerId } = grant
    const [disabled, ignored, place, values] = await Promise.all([
      readDisabledCommands(store, playerId),
      readIgnored(store, playerId),
      isLimitedSignIn(account, grant.verified) ? undefined : places.read(playerId),
      modules.loadPlayer(playerId),
    ])
    return { grant, account, disabled, ignored, place, values }
  } catch (error) {
    return explain(error, log)
  }
}

/** A store with a longer timeout of its own must not hold the few checks that run at the same time. */
const limitMsDefault = 15_000

const checkWithin = (deps: AuthenticateDeps, token: string, isWanted: () => boolean): Promise<Admitted | Closing> =>
  new Promise((resolve) => {
    const { log, limitMs = limitMsDefault } = deps
    const endLimit = startTimeLimit(limitMs, () => {
      log.warn({ limitMs }, 'a connection could not be checked: a store does not answer')
      resolve(closings.unavailable)
    })
    void check(deps, token, isWanted).then((answer) => {
      endLimit()
      resolve(answer)
    })
  })

/**
 * Checks a token against the stores as of now, unless the client has left. Never rejects: if a store is unavailable or does not answer
 * in time, the client is asked to try again.
 */
export const authenticate = (deps: AuthenticateDeps, token: string, isWanted: () => boolean): Promise<Admitted | Closing> =>
  serveInSpan('connect', {}, async (span) => {
    const answer = await checkWithin(deps, token, isWanted)
    const code = 'closeCode' in answer ? answer.code : 'ok'
    span.setAttribute('gatehouse.outcome', code)
    if (code === closings.unavailable.code) failSpan(span, code)
    span.end()
    return answer
  })
