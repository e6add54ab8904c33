import type { CleanUp } from './clean-up.ts'
import type { Answer } from './client/answer.ts'
import type { Fixtures } from './fixtures.ts'
import type { ApiDescription } from './rules/api-description.ts'

/** Who a request is from: nobody, the administrator whose credentials were given, an account of our own without rights, or a bearer. */
export type Caller = 'nobody' | 'administrator' | 'player' | { readonly bearer: string }

export type Send = {
  readonly json?: unknown
  /** Sent as `application/yaml`. */
  readonly yaml?: string
  /** Sent as it is; say in `headers` what it is. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** An address that whatever stands before the server may tidy, or refuse in its own words: the check alone judges the answer. */
  readonly odd?: true
}

/** Makes one request: `ask('nobody', 'GET /healthz')`. Waits as long as a 429 says, and asks again. */
export type Ask = (as: Caller, what: string, send?: Send) => Promise<Answer>

/** What the server said of itself before any check. */
export type ServerFacts = { readonly provider: string; readonly requirePassword: boolean }

/** What a check works with. */
export type Kit = {
  readonly ask: Ask
  readonly api: ApiDescription
  readonly facts: ServerFacts
  /** The email whose password was given, if that is how the administrator signs in. */
  readonly email: string | undefined
  /** Where the server is, without a slash at the end. */
  readonly url: string
  /** What everything that we make is called, or begins with. */
  readonly name: string
  readonly fixtures: Fixtures
  readonly cleanUp: CleanUp
}

/** What a check takes: nothing, the administrator's credentials, leave to write, or leave to make worlds too, which stay. */
export type Need = 'nothing' | 'administrator' | 'write' | 'write-worlds'

/** One guarantee, in plain words. `run` throws Mismatch where it does not hold, Skipped where it cannot be tried. */
export type Check = {
  readonly name: string
  readonly need: Need
  readonly run: (kit: Kit) => Promise<void>
}

/** Checks of one subject; those that depend on the API's description are made from it. */
export type Feature = {
  readonly name: string
  readonly checks: (api: ApiDescription) => readonly Check[]
}

/** A feature whose checks do not depend on the description. */
export const feature = (name: string, checks: readonly Check[]): Feature => ({ name, checks: () => checks })

/** A check, in the order in which a reader wants it. */
export const check = (need: Need, name: string, run: Check['run']): Check => ({ need, name, run })
