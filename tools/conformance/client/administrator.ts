import { Type } from '@sinclair/typebox'
import { createParser } from '../../../shared/kernel/schema.ts'
import { type Answer, jsonOf, type Redactor } from './http-client.ts'
import type { SendRequest } from './request-sender.ts'

/** How the administrator signs in. `password` and `token` are never shown. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'password'; readonly email: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string }

/** The administrator of the given credentials. `token` resolves to a valid one. */
export type Administrator = {
  token(): Promise<string>
  /** Ends the sign-in, if this run made it. */
  leave(): Promise<void>
}

export type AdministratorDeps = {
  readonly send: SendRequest
  readonly redactor: Redactor
  readonly now: () => number
}

/** The credentials are refused. The message explains why. */
export class SignInRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'SignInRefused'
  }
}

/** Tokens are valid for ten minutes. */
const renewAfterMs = 4 * 60 * 1000

const parseSignedIn = createParser(Type.Object({ token: Type.String() }))
const parseProblem = createParser(Type.Object({ title: Type.String(), detail: Type.String() }))

const readToken = (answer: Answer, what: string): string => {
  const parsed = parseSignedIn(jsonOf(answer))
  if (answer.status === 200 && parsed.ok) return parsed.value.token
  const problem = parseProblem(jsonOf(answer))
  throw new SignInRefused(`${what}: ${answer.status}${problem.ok ? ` ${problem.value.title}. ${problem.value.detail}` : ''}`)
}

const refuseOthers = async (send: SendRequest, token: string): Promise<void> => {
  const answer = await send('GET /api/admin/groups', token)
  if (answer.status === 200) return
  const problem = parseProblem(jsonOf(answer))
  throw new SignInRefused(
    `These are not the credentials of an administrator: ${answer.status}${problem.ok ? ` ${problem.value.title}. ${problem.value.detail}` : ''}`,
  )
}

/** Signs in. Throws SignInRefused if the server refuses, or if the account is not an administrator. */
export const openAdministrator = async (
  { send, redactor, now }: AdministratorDeps,
  credentials: Exclude<Credentials, { kind: 'none' }>,
): Promise<Administrator> => {
  const ours = credentials.kind === 'password'
  redactor.hide(ours ? credentials.password : credentials.token)
  const signIn = async (): Promise<string> => {
    if (!ours) return credentials.token
    const { email, password } = credentials
    return readToken(await send('POST /auth/login', undefined, { json: { email, password } }), 'The sign-in was refused')
  }
  let token = await signIn()
  let since = now()
  await refuseOthers(send, token)
  return {
    token: async () => {
      if (now() - since < renewAfterMs) return token
      token = readToken(await send('POST /auth/renew', token), 'The token could not be renewed')
      since = now()
      return token
    },
    leave: async () => {
      if (ours) await send('POST /auth/logout', token)
    },
  }
}
