import type { Answer } from './client/http-client.ts'

/** Clean-up tasks that run at the end in reverse order, however the run ends. */
export type CleanUp = {
  /**
   * Call this before you create the thing. `takeAway` may run although the thing was never created; it throws if the thing
   * stays.
   */
  later(what: string, takeAway: () => Promise<void>): void
  /** Notes something that always stays. */
  stays(what: string): void
  /** Resolves to the names of things that stay. */
  run(): Promise<readonly string[]>
}

export const createCleanUp = (): CleanUp => {
  const noted: { what: string; takeAway: () => Promise<void> }[] = []
  const left: string[] = []
  return {
    later: (what, takeAway) => void noted.push({ what, takeAway }),
    stays: (what) => void left.push(what),
    run: async () => {
      for (const { what, takeAway } of noted.splice(0).toReversed())
        await takeAway().catch((error: unknown) => {
          left.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
        })
      return [...left]
    },
  }
}

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
