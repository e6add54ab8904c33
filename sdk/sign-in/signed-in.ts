import { NotGatehouseError } from '../errors.ts'
import { type Asked, ask, readJson } from '../http/ask.ts'

/** Sign-ins with a wrong password; `lastAt` is an ISO 8601 instant. */
export type FailedSignIns = { readonly count: number; readonly lastAt?: string }

/** The answer to a sign-in or a renewal. */
export type SignedIn = {
  readonly token: string
  readonly displayName: string
  readonly playerId: string
  /** Only in the answer to a sign-in by email and password. */
  readonly verified?: boolean
  /** Wrong passwords since the last verified sign-in by password, where there were any; only in that answer, too. */
  readonly failed?: FailedSignIns
}

const isSignedIn = (value: unknown): value is SignedIn =>
  typeof value === 'object' &&
  value !== null &&
  ['token', 'displayName', 'playerId'].every((key) => typeof Reflect.get(value, key) === 'string')

/** Asks one of the routes that answer with a token. */
export const askForToken = async (asked: Asked): Promise<SignedIn> => {
  const answer = await readJson(await ask(asked), asked)
  if (isSignedIn(answer)) return answer
  throw new NotGatehouseError(`What answers at ${asked.url} is not a Gatehouse server. Is the address right?`)
}
