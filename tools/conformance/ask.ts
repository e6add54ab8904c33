import type { Answer } from './client/answer.ts'

/** The sender of a request: no one, the administrator of the given credentials, a test account without rights, or a bearer. */
export type Caller = 'nobody' | 'administrator' | 'player' | { readonly bearer: string }

export type Send = {
  readonly json?: unknown
  /** Sent as `application/yaml`. */
  readonly yaml?: string
  /** Sent as it is, with the media type in `headers`. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** An address that a gateway may normalize or refuse. The check alone judges the answer. */
  readonly odd?: true
}

/** Sends one request: `ask('nobody', 'GET /healthz')`. After a 429 it waits as long as the answer says, and repeats it. */
export type Ask = (as: Caller, what: string, send?: Send) => Promise<Answer>

/** Facts that the server reports before any check. */
export type ServerFacts = { readonly provider: string; readonly requirePassword: boolean }
