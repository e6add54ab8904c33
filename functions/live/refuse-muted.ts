import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { describeEnd } from '../../shared/domain/sanctions/banned-error.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'

/** Throws `forbidden` (`muted`) for a muted caller: text that a route shows to others counts as speech. */
export const refuseMuted = ({ activeSanctions, clock }: Pick<HttpDeps, 'activeSanctions' | 'clock'>, { email }: Actor): void => {
  const mute = activeSanctions.findMute(email)
  if (mute === undefined) return
  throw new AppError('forbidden', 'muted', `You are muted: ${mute.reason} (${describeEnd(mute, clock.now())}.)`)
}
