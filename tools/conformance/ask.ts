import type { Answer } from './client/answer.ts'

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
