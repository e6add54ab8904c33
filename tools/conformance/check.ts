import type { Ask, CleanUp, ServerFacts } from './clean-up.ts'
import type { Fixtures } from './fixtures.ts'
import type { ApiDescription } from './rules/api-description.ts'

/** The tools of a check. */
export type Kit = {
  readonly ask: Ask
  readonly api: ApiDescription
  readonly facts: ServerFacts
  /** The email of the given password, if the administrator signs in with one. */
  readonly email: string | undefined
  /** The address of the server, without a trailing slash. */
  readonly url: string
  /** The name, or prefix of the name, of everything that the run creates. */
  readonly name: string
  readonly fixtures: Fixtures
  readonly cleanUp: CleanUp
}

/**
 * The requirement of a check: nothing, administrator credentials, permission to write, or permission to create worlds, which
 * stay.
 */
export type Need = 'nothing' | 'administrator' | 'write' | 'write-worlds'

/** One guarantee. `run` throws Mismatch if the server breaks it, and Skipped if it cannot be checked. */
export type Check = {
  readonly name: string
  readonly need: Need
  readonly run: (kit: Kit) => Promise<void>
}

/** Checks of one subject. Some are made from the API description. */
export type Feature = {
  readonly name: string
  readonly checks: (api: ApiDescription) => readonly Check[]
}

/** A feature whose checks do not depend on the description. */
export const feature = (name: string, checks: readonly Check[]): Feature => ({ name, checks: () => checks })

/** Declares a check. */
export const check = (need: Need, name: string, run: Check['run']): Check => ({ need, name, run })
