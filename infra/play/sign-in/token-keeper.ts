import type { SignInClient } from './sign-in.ts'

/** Holds a token and renews it before its ten minutes are over. */
export type TokenKeeper = {
  token(): string
  /** No more renewals. */
  stop(): void
}

const renewAfterMs = 8 * 60_000

/** Keeps `first` fresh until `stop`; a renewal that fails is told once, and the token lives out its time. */
export const createTokenKeeper = (
  signIn: Pick<SignInClient, 'renew'>,
  first: string,
  onFailure: (text: string) => void,
): TokenKeeper => {
  let token = first
  let timer: NodeJS.Timeout
  const renew = async (): Promise<void> => {
    try {
      token = (await signIn.renew(token)).token
      schedule()
    } catch (error) {
      onFailure(error instanceof Error ? error.message : String(error))
    }
  }
  const schedule = (): void => {
    timer = setTimeout(() => void renew(), renewAfterMs).unref()
  }
  schedule()
  return { token: () => token, stop: () => clearTimeout(timer) }
}
