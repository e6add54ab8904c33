import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { plural } from '../../world/words.ts'
import { canonicalJson, createDigest, type Part, sha256Of } from './part.ts'

const pageLimit = 200

async function* listPages({ listAccounts }: Pick<AccountStore, 'listAccounts'>): AsyncGenerator<readonly Account[], void> {
  let cursor: string | undefined
  do {
    const page = await listAccounts({ limit: pageLimit, ...(cursor !== undefined && { cursor }) })
    yield page.accounts
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

/** A checksum of each account by its email. Places order emails differently, and hashes are small. */
const digestEach = async (accounts: Pick<AccountStore, 'listAccounts'>, onSeen: (count: number) => void) => {
  const digests = new Map<string, string>()
  for await (const page of listPages(accounts)) {
    for (const account of page) digests.set(account.email, sha256Of(canonicalJson(account)))
    onSeen(page.length)
  }
  return digests
}

type Refused = { readonly email: string; readonly why: string }

/** For the operator, who needs to know all of them. */
const cannotBeMoved = (refused: readonly Refused[]): AppError => {
  const fix = 'Change or remove each of them in the source, and run the same command again.'
  const lines = refused.map(({ email, why }) => `  ${email}: ${why}`)
  const detail = `${plural(refused.length, 'account')} cannot be moved. ${fix}\n${lines.join('\n')}`
  return new AppError('invalid', 'bad-request', detail)
}

const nobody = (): void => undefined

/** Accounts by content: `users.yaml` is one file, DynamoDB has records and indexes of each. */
export const accountsPart: Part = {
  name: 'accounts',
  count: async ({ accounts }) => (await digestEach(accounts, nobody)).size,
  copy: async ({ source, target, onKept, signal }) => {
    const there = await digestEach(target.accounts, nobody)
    const wanted = await digestEach(source.accounts, nobody)
    const put = (email: string, next: Account | undefined) => target.accounts.change(email, () => ({ next, result: undefined }))
    const refused: Refused[] = []
    /** The other accounts are still moved. */
    const move = async (account: Account): Promise<void> => {
      try {
        await put(account.email, account)
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== 'invalid') throw error
        refused.push({ email: account.email, why: error.publicDetail })
      }
    }
    // Deletions come first, because no two accounts may have the same player id.
    for (const email of there.keys()) if (!wanted.has(email)) await put(email, undefined)
    for await (const page of listPages(source.accounts)) {
      signal.throwIfAborted()
      const changed = page.filter((account) => there.get(account.email) !== sha256Of(canonicalJson(account)))
      await Promise.all(changed.map(move))
      onKept(page.length)
    }
    if (refused.length > 0) throw cannotBeMoved(refused)
  },
  digest: async ({ accounts }, { onSeen }) => {
    const digests = await digestEach(accounts, onSeen)
    const digest = createDigest()
    for (const email of [...digests.keys()].sort()) digest.add(email, digests.get(email) ?? '')
    return digest.end()
  },
}
