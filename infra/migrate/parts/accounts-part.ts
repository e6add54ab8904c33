import type { Account } from '../../../shared/accounts/account.ts'
import type { AccountStore } from '../../../shared/accounts/store/account-store.ts'
import { canonicalJson, createDigest, sha256Of } from './digest.ts'
import type { Part } from './part.ts'

const pageLimit = 200

async function* listPages({ listAccounts }: Pick<AccountStore, 'listAccounts'>): AsyncGenerator<readonly Account[], void> {
  let cursor: string | undefined
  do {
    const page = await listAccounts({ limit: pageLimit, ...(cursor !== undefined && { cursor }) })
    yield page.accounts
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

/** A checksum of each account by its email: places order emails differently, and hashes are small. */
const digestEach = async (accounts: Pick<AccountStore, 'listAccounts'>, onSeen: (count: number) => void) => {
  const digests = new Map<string, string>()
  for await (const page of listPages(accounts)) {
    for (const account of page) digests.set(account.email, sha256Of(canonicalJson(account)))
    onSeen(page.length)
  }
  return digests
}

const nobody = (): void => undefined

/** Accounts, by what they say: `users.yaml` is one file, DynamoDB has records and indexes of each. */
export const accountsPart: Part = {
  name: 'accounts',
  count: async ({ accounts }) => (await digestEach(accounts, nobody)).size,
  copy: async ({ source, target, onKept, signal }) => {
    const there = await digestEach(target.accounts, nobody)
    const wanted = await digestEach(source.accounts, nobody)
    const put = (email: string, next: Account | undefined) => target.accounts.change(email, () => ({ next, result: undefined }))
    // First, since no two accounts may have the same player id.
    for (const email of there.keys()) if (!wanted.has(email)) await put(email, undefined)
    for await (const page of listPages(source.accounts)) {
      signal.throwIfAborted()
      const changed = page.filter((account) => there.get(account.email) !== sha256Of(canonicalJson(account)))
      await Promise.all(changed.map((account) => put(account.email, account)))
      await onKept(page.length)
    }
  },
  digest: async ({ accounts }, { onSeen }) => {
    const digests = await digestEach(accounts, onSeen)
    const digest = createDigest()
    for (const email of [...digests.keys()].sort()) digest.add(email, digests.get(email) ?? '')
    return digest.end()
  },
}
