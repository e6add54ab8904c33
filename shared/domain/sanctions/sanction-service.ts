import type { Actor } from '../accounts/actor.ts'
import type { Sanction, SanctionKind } from './sanction.ts'
import type { NewSanction } from './sanction-input.ts'

export type SanctionQuery = {
  /** 1 to 200. */
  readonly limit: number
  readonly cursor?: string
  readonly email?: string
  readonly kind?: SanctionKind
  /** Active, or ended; both when absent. */
  readonly active?: boolean
}

export type SanctionPage = { readonly sanctions: readonly Sanction[]; readonly nextCursor?: string }

/**
 * Bans, mutes and warnings with their rules: actors cannot sanction themselves or act beyond their own permissions, and an
 * administrator always remains. Each change is audited in the same commit. When it resolves, it is durable and applied in this process.
 * Other processes follow within a second, or at their next poll without Redis. `from` is the address of the caller.
 */
export type SanctionService = {
  /** Newest first. All filters must match. Throws `invalid` for an unknown cursor. */
  listSanctions(query: SanctionQuery): Promise<SanctionPage>
  /** Throws `not-found`. */
  getSanction(id: string): Promise<Sanction>
  /**
   * Imposes a sanction. If the email has no account yet, the sanction applies once it has. A ban ends the tokens of the account. Throws
   * `unprocessable` `rule-broken` for an end in the past, and as the rules say.
   */
  impose(actor: Actor, input: NewSanction, from?: string): Promise<Sanction>
  /** Ends a sanction. One that has ended is returned unchanged. Throws `not-found`, and as the rules say. */
  end(actor: Actor, id: string, from?: string): Promise<Sanction>
  /** Makes an ended sanction active again, by the rules of `impose`. An active one is returned unchanged. */
  reinstate(actor: Actor, id: string, from?: string): Promise<Sanction>
  /** Moves all sanctions of one email to another, including ended ones, when an account changes its email. Audited with the account. */
  moveEmail(from: string, to: string): Promise<void>
  /** Ends warnings that the player has seen. Other ids are ignored. */
  noteSeen(email: string, ids: readonly string[]): Promise<void>
}
