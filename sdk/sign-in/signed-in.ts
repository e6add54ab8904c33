import { NotGatehouseError } from '../errors.ts'
import { type Asked, ask, readJson } from '../http/ask.ts'

/** Sign-ins with a wrong password. `lastAt` is an ISO 8601 instant. */
export type FailedSignIns = { readonly count: number; readonly lastAt?: string }

/** The answer to a sign-in or a renewal. */
export type SignedIn = {
  readonly token: string
  readonly displayName: string
  readonly playerId: string
  /** Only in the answer to a sign-in with email and password. */
  readonly verified?: boolean
  /** Wrong passwords since the last verified sign-in by password, if there were any. Only in that answer, too. */
  readonly failed?: FailedSignIns
}

const isSignedIn = (value: unknown): value is SignedIn =>
  typeof value === 'object' &&
  value !== null &&
  ['token', 'displayName', 'playerId'].every((key) => typeof Reflect.get(value, key) === 'string')

const refuseOther = ({ url }: Asked): never => {
  throw new NotGatehouseError(`The address ${url} does not belong to a Gatehouse server. Check the address.`)
}

/** Calls a route that answers with a token. */
export const askForToken = async (asked: Asked): Promise<SignedIn> => {
  const answer = await readJson(await ask(asked), asked)
  return isSignedIn(answer) ? answer : refuseOther(asked)
}

/** Whether the token is an API token, which is never renewed. */
export const isApiToken = (token: string): boolean => token.startsWith('ght_')

/** Reads the account of an API token. */
export const askForOwner = async (asked: Omit<Asked, 'path'> & { readonly token: string }): Promise<SignedIn> => {
  const me = { ...asked, path: '/auth/me' }
  const answer = await readJson(await ask(me), me)
  const signedIn = typeof answer === 'object' ? { ...answer, token: asked.token } : answer
  return isSignedIn(signedIn) ? signedIn : refuseOther(me)
}
