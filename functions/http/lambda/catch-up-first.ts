import type { RequestListener } from 'node:http'
import type { Configs } from '../../../shared/domain/configs/current/configs.ts'
import type { ActiveSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'

export type CatchUpFirstDeps = {
  readonly configs: Pick<Configs, 'catchUp'>
  readonly activeSanctions: Pick<ActiveSanctions, 'catchUp'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Maximum age of the last check for reloads elsewhere. */
const knownForMs = 1000

const asRefusal = (cause: unknown): AppError =>
  cause instanceof AppError && cause.kind === 'unavailable'
    ? cause
    : new AppError(
        'unavailable',
        'service-unavailable',
        'A service that this server needs does not answer. Try again in a moment.',
        { cause, retryAfterSeconds: 1 },
      )

/**
 * `app` with configs and sanctions at most a second old. A Lambda is frozen between requests and receives no notices in that
 * time. This costs two more reads of the Store for the first request of a second. Answers 503 if the check fails: with old
 * permissions, a user could use ones that were revoked.
 */
export const catchUpFirst = (app: RequestListener, { configs, activeSanctions, clock }: CatchUpFirstDeps): RequestListener => {
  let knownAtMs = clock.monotonic()
  const look = async () => {
    const startedMs = clock.monotonic()
    if (startedMs - knownAtMs < knownForMs) return
    await Promise.all([configs.catchUp(), activeSanctions.catchUp()])
    knownAtMs = startedMs
  }
  const refuse = async (error: unknown): Promise<RequestListener> => {
    const { refuseAll } = await import('./refuse-all.ts')
    return refuseAll(asRefusal(error))
  }
  return async (req, res) => {
    const answer = await look().then(() => app, refuse)
    answer(req, res)
  }
}
