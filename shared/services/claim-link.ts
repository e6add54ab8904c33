import { setTimeout as pause } from 'node:timers/promises'
import type { SignInService } from '../domain/auth/sign-in.ts'
import { AppError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { describeClaim } from './start-texts.ts'

const retryMs = 2000

const isAway = (error: unknown): boolean => error instanceof AppError && error.kind === 'unavailable'

/** Prints the one-time claim if there is no administrator. Retries while Redis or the accounts are out of reach. */
export const offerClaim = async (signIn: Pick<SignInService, 'createClaim'>, baseUrl: string, log: Log): Promise<void> => {
  for (let attempt = 0; ; attempt++) {
    try {
      const claim = await signIn.createClaim()
      if (claim !== undefined) process.stdout.write(describeClaim(baseUrl, claim))
      return
    } catch (error) {
      if (!isAway(error)) log.error({ err: error }, 'cannot offer the administrator claim')
      if (!isAway(error)) return
      if (attempt === 0) log.warn({ err: error }, 'cannot offer the administrator claim yet')
      await pause(retryMs, undefined, { ref: false })
    }
  }
}
