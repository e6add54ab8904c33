import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { letOthersWork } from '../../kernel/turns.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'
import { Account } from './account.ts'

/** How long the data of a deleted account can be restored. */
export const retentionMs = 30 * 86_400_000
const sweepPageSize = 20

const readPageSize = 100

const DeletedAccount = ClosedObject({ account: Account, at: Type.String({ format: 'date-time' }) })
const deletedAccounts = createCollection('deleted-accounts', DeletedAccount)

const foldName = (name: string): string => name.trim().normalize('NFC').toLowerCase()

/** Deleted accounts, complete with their password hash, for 30 days. */
export type DeletedAccounts = {
  /** Durable when it resolves. */
  keep(account: Account): Promise<void>
  /** Undefined if the account was never deleted, or more than 30 days ago. */
  find(playerId: string): Promise<Account | undefined>
  /** Accounts deleted under that email or display name, ignoring case, newest first. Reads every retained record. */
  listNamed(name: string): Promise<readonly Account[]>
  /** Drops the record of an account that was restored. */
  forget(playerId: string): Promise<void>
  /** Whether the account was deleted, and `sweep` has not erased it yet. */
  has(playerId: string): Promise<boolean>
  /** Drops accounts deleted more than 30 days ago, each after `erase`, in small batches until `isOver`. */
  sweep(isOver: () => boolean, erase: (playerId: string) => Promise<void>): Promise<void>
}

/** Deleted accounts in a Store, keyed by playerId: an email may be used again, a playerId never. */
export const createDeletedAccounts = ({ store, clock }: { readonly store: Store; readonly clock: Clock }): DeletedAccounts => {
  const isOver = (at: string): boolean => clock.now() - Date.parse(at) > retentionMs
  const forget = async (playerId: string): Promise<void> => {
    await store.delete(deletedAccounts, playerId)
  }
  return {
    keep: async (account) => {
      await store.put(deletedAccounts, account.playerId, { account, at: new Date(clock.now()).toISOString() })
    },
    find: async (playerId) => {
      const found = await store.get(deletedAccounts, playerId)
      return found === undefined || isOver(found.value.at) ? undefined : found.value.account
    },
    listNamed: async (name) => {
      const folded = foldName(name)
      const named: Static<typeof DeletedAccount>[] = []
      let cursor: string | undefined
      do {
        const page = await store.list(deletedAccounts, { limit: readPageSize, ...(cursor && { cursor }) })
        for (const { value } of page.records)
          if (!isOver(value.at) && [value.account.email, value.account.displayName].some((one) => foldName(one) === folded))
            named.push(value)
        cursor = page.nextCursor
        await letOthersWork()
      } while (cursor !== undefined)
      return named.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).map(({ account }) => account)
    },
    forget,
    has: async (playerId) => (await store.get(deletedAccounts, playerId)) !== undefined,
    sweep: async (isStopped, erase) => {
      let cursor: string | undefined
      do {
        const page = await store.list(deletedAccounts, { limit: sweepPageSize, ...(cursor && { cursor }) })
        for (const { id, value } of page.records) {
          if (!isOver(value.at)) continue
          // The account goes last, so that the next sweep repeats one that failed halfway.
          await erase(id)
          await forget(id)
        }
        cursor = page.nextCursor
        await letOthersWork()
      } while (cursor !== undefined && !isStopped())
    },
  }
}
