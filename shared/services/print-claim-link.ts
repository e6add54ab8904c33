import { setTimeout as pause } from 'node:timers/promises'
import type { SignInService } from '../domain/auth/sign-in.ts'
import { AppError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'

const retryMs = 2000

const isAway = (error: unknown): boolean => error instanceof AppError && error.kind === 'unavailable'

/** The instructions for becoming the first administrator with the one-time secret `claim`. */
const describeClaim = (baseUrl: string, claim: string): string => {
  const body = JSON.stringify({ claim, email: 'you@example.com', password: 'at least 8 bytes' })
  return `No one can administer this server yet. Claim it within 24 hours; the link works once:
  open  ${baseUrl}/claim#${claim}
  or    curl -X POST ${baseUrl}/auth/claim -H 'Content-Type: application/json' -d '${body}'
`
}

/** Prints the one-time claim if there is no administrator. Retries while Redis or the accounts are out of reach. */
export const printClaimLink = async (
  signIn: Pick<SignInService, 'createClaim'>,
  baseUrl: string,
  log: Log,
  print: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<void> => {
  for (let attempt = 0; ; attempt++) {
    try {
      const claim = await signIn.createClaim()
      if (claim !== undefined) print(describeClaim(baseUrl, claim))
      return
    } catch (error) {
      if (!isAway(error)) log.error({ err: error }, 'cannot offer the administrator claim')
      if (!isAway(error)) return
      if (attempt === 0) log.warn({ err: error }, 'cannot offer the administrator claim yet')
      await pause(retryMs, undefined, { ref: false })
    }
  }
}
