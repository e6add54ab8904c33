import type { Ask, ServerFacts } from './ask.ts'
import type { CleanUp } from './clean-up.ts'
import type { Fixtures } from './fixtures.ts'
import type { ApiDescription } from './rules/api-description.ts'

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
