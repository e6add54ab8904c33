import type { Actor } from '../accounts/actor.ts'
import type { Sanction, SanctionKind } from './sanction.ts'
import type { NewSanction } from './sanction-input.ts'

export type SanctionQuery = {
  /** 1 to 200. */
  readonly limit: number
  readonly cursor?: string
  readonly email?: string
  readonly kind?: SanctionKind
  /** In force now, or over; both when absent. */
  readonly active?: boolean
}

export type SanctionPage = { readonly sanctions: readonly Sanction[]; readonly nextCursor?: string }

/**
 * Bans, mutes and warnings with their rules: nobody reaches beyond their own permissions or themself, and somebody who can administer
 * stays. Each change is audited in the same commit, and durable and in force in this process when it resolves. All others follow within a second, or with Redis away at their next look at the store. `from` is the address of who asks.
 */
export type SanctionService = {
  /** Newest first; filters combine. Throws `invalid` for a cursor that no page gave. */
  listSanctions(query: SanctionQuery): Promise<SanctionPage>
  /** Throws `not-found`. */
  getSanction(id: string): Promise<Sanction>
  /** An email may have no account: the sanction counts from when one is made. Throws `unprocessable` `rule-broken` for an end in the past, and what the rules say. A ban kills the tokens of the account. */
  impose(actor: Actor, input: NewSanction, from?: string): Promise<Sanction>
  /** Ends one; that which is over already is answered as it is. Throws `not-found`, and what the rules say. */
  end(actor: Actor, id: string, from?: string): Promise<Sanction>
  /** Puts one that somebody ended in force again, by the rules of `impose`; what is in force is answered as it is. */
  reinstate(actor: Actor, id: string, from?: string): Promise<Sanction>
  /** Gives all sanctions of one email to another, ended ones too: the account moves there. Audited with the account. */
  moveEmail(from: string, to: string): Promise<void>
  /** The player has seen these warnings: they end. Others are left as they are. */
  noteSeen(email: string, ids: readonly string[]): Promise<void>
}
