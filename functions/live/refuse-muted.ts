import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { describeEnd } from '../../shared/domain/sanctions/banned-error.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'

/** Throws `forbidden` `muted` for who may not speak: what a route shows to others is said too. */
export const refuseMuted = (
  { sanctionsInForce, clock }: Pick<HttpDeps, 'sanctionsInForce' | 'clock'>,
  { email }: Actor,
): void => {
  const mute = sanctionsInForce.findMute(email)
  if (mute === undefined) return
  throw new AppError('forbidden', 'muted', `You are muted: ${mute.reason} (${describeEnd(mute, clock.now())}.)`)
}
