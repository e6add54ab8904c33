import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../../kernel/errors.ts'
import { createQueue } from '../../../../kernel/queue.ts'
import { createParser } from '../../../../kernel/schema.ts'
import type { Store, Write } from '../../../../platform/storage/store.ts'
import { cursorAfter } from '../../../../platform/storage/store-rules.ts'
import { Account } from '../../account.ts'
import { emailIncludes, readableEmail } from '../../email.ts'
import { decodeAccountCursor, encodeAccountCursor } from '../account-pages.ts'
import type { AccountChange, AccountContext, AccountPage, AccountQuery, AccountStore } from '../account-store.ts'
import { emailTaken, neededMissing } from '../plan-changes.ts'
import { type DecidedChange, prepareAccountWrites, prepareAuditWrites } from './record-account-writes.ts'
import {
  accountSubjects,
  accountsByEmail,
  accountsByPlayerId,
  accountVersions,
  canBeEmail,
  findBearer,
  listEndedRecords,
  readAdministrators,
  subjectId,
} from './record-accounts.ts'

/** Accounts that a text query reads before it returns a partial result. */
const lookedAtMax = 5000
const pageMax = 1000

/**
 * One page of accounts, ordered by the UTF-8 bytes of their emails. A text query scans all accounts. After 5,000 the page ends, even if
 * it is empty, with a cursor to continue.
 */
const listStoredAccounts = async (store: Store, { text, limit, cursor }: AccountQuery): Promise<AccountPage> => {
  const after = cursor === undefined ? undefined : decodeAccountCursor(cursor)
  const folded = text?.normalize('NFC').toLowerCase() ?? ''
  const matches = ({ email, displayName }: Account) => emailIncludes(email, folded) || displayName.toLowerCase().includes(folded)
  const found: Account[] = []
  let next = after === undefined || !canBeEmail(after) ? undefined : cursorAfter(after)
  for (let lookedAt = 0; ; ) {
    const page = await store.list(accountsByEmail, {
      limit: folded === '' ? limit + 1 - found.length : pageMax,
      ...(next !== undefined && { cursor: next }),
    })
    found.push(...page.records.map(({ value }) => value).filter(matches))
    lookedAt += page.records.length
    next = page.nextCursor
    if (found.length > limit) break
    if (next === undefined) return { accounts: found }
    const last = page.records.at(-1)
    if (lookedAt >= lookedAtMax && last !== undefined) return { accounts: found, nextCursor: encodeAccountCursor(last.id) }
  }
  const accounts = found.slice(0, limit)
  const last = accounts.at(-1)
  return last === undefined ? { accounts } : { accounts, nextCursor: encodeAccountCursor(last.email) }
}

type StoreAccountStoreDeps = {
  /** Also holds the audit log, because each entry is written with its change. */
  readonly store: Store
  /** Whether the account can administer by the currently active groups. The result must not depend on its email or playerId. */
  readonly isAdministrator: (account: Account) => boolean
}

type Decide<R> = (current: Account | undefined, context: AccountContext) => AccountChange<R>

const attemptsMax = 64
const parseAccount = createParser(Account)

const checkAccount = (email: string, to: string, next: Account): void => {
  const parsed = parseAccount(next)
  if (!parsed.ok) throw new AppError('invalid', 'bad-request', 'The account is not valid.', { errors: parsed.faults })
  if (next.email !== email && next.email !== to) throw new TypeError('an account keeps its email')
  if (!canBeEmail(next.email))
    throw new AppError('invalid', 'bad-request', 'The email of an account is too long, or not well-formed.')
}

/**
 * Accounts in a Store (docs/decisions/0030-dynamodb.md). Lookups cost one read by email or playerId, and two by subject. A change reads
 * the account, checks that a new playerId or subject is free, and commits together with its audit entry. The changes of one process run
 * one after another. A text query reads every account.
 */
export const createStoreAccountStore = ({ store, isAdministrator }: StoreAccountStoreDeps): AccountStore => {
  const knownSets = new Set<string>()
  const inTurn = createQueue()

  /** Older accounts are stored under the email as written, with its domain in Unicode. */
  const findByEmail = async (email: string) => {
    const found = canBeEmail(email) ? await store.get(accountsByEmail, email) : undefined
    const readable = found === undefined ? readableEmail(email) : undefined
    return readable !== undefined && canBeEmail(readable) ? await store.get(accountsByEmail, readable) : found
  }

  const listAdministrators = () => readAdministrators(store, isAdministrator)

  /** Calls `decide` without the administrators first. Only if it reads them are they loaded, and `decide` runs again. */
  const ask = async <R>(current: Account | undefined, decide: Decide<R>) => {
    const unread = new Error('the administrators are not read yet')
    try {
      const context = {
        get administrators(): ReadonlySet<string> {
          throw unread
        },
        isAdministrator,
      }
      return { change: decide(current, context), administratorsVersion: undefined }
    } catch (error) {
      if (error !== unread) throw error
    }
    const { accounts, version } = await listAdministrators()
    const administrators = new Set(accounts.map(({ email }) => email))
    return { change: decide(current, { administrators, isAdministrator }), administratorsVersion: version }
  }

  const prepare = async (change: DecidedChange): Promise<readonly Write[]> => {
    if (!isDeepStrictEqual(change.before, change.after)) return prepareAccountWrites(store, change, knownSets)
    return change.audit === undefined ? [] : prepareAuditWrites(change, change.audit)
  }

  /** False if a record has changed since it was read. */
  const commit = async (writes: readonly Write[]): Promise<boolean> => {
    try {
      if (writes.length > 0) await store.commit(writes)
      return true
    } catch (error) {
      if (error instanceof AppError && error.kind === 'conflict') return false
      throw error
    }
  }

  const attempt = async <R>(email: string, to: string, decide: Decide<R>): Promise<AccountChange<R> | undefined> => {
    const stored = await findByEmail(email)
    const before = stored?.value
    const key = before?.email ?? email
    const { change, administratorsVersion } = await ask(before, decide)
    const after = change.next
    if (after !== undefined && !isDeepStrictEqual(before, after)) checkAccount(key, to, after)
    if (after !== undefined && after.email !== key) {
      const there = await findByEmail(after.email)
      if (there !== undefined && there.value.playerId !== before?.playerId) throw emailTaken()
    }
    const needed = change.needs === undefined ? undefined : await findByEmail(change.needs)
    if (change.needs !== undefined && needed === undefined) throw neededMissing(change.needs)
    const writes = await prepare({
      email: key,
      before,
      after,
      version: stored?.version ?? null,
      audit: change.audit,
      administratorsVersion,
      ownName: change.ownName === true,
      needed,
      isOfAdministrator: [before, after].some((account) => account !== undefined && isAdministrator(account)),
    })
    return (await commit(writes)) ? change : undefined
  }

  const change = async <R>(email: string, to: string, decide: Decide<R>): Promise<R> => {
    for (let attempts = 1; attempts <= attemptsMax; attempts += 1) {
      const made = await attempt(email, to, decide)
      if (made !== undefined) return made.result
    }
    throw new AppError('unavailable', 'service-unavailable', 'Too many changes to this account at once. Try again in a moment.', {
      retryAfterSeconds: 1,
    })
  }

  return {
    findByEmail: async (email) => (await findByEmail(email))?.value,
    findByPlayerId: async (playerId) =>
      canBeEmail(playerId) ? (await store.get(accountsByPlayerId, playerId))?.value : undefined,
    findBySubject: async (subject) => {
      const pointer = await store.get(accountSubjects, subjectId(subject))
      const account = pointer && (await findByEmail(pointer.value.email))?.value
      return account?.subject === subject ? account : undefined
    },
    findByName: (displayName, except) => findBearer(store, displayName, ({ email }) => email !== except),
    isAdministrator,
    listAccounts: (query) => listStoredAccounts(store, query),
    listEnded: (nowMs) => listEndedRecords(store, nowMs),
    listAdministrators: async () => (await listAdministrators()).accounts,
    version: async () => (await store.list(accountVersions)).records.map(({ id, version }) => `${id}:${version}`).join(),
    warnings: async () => [],
    change: (email, decide) => inTurn(() => change(email, email, decide)),
    move: (email, to, decide) => inTurn(() => change(email, to, decide)),
    close: () => inTurn(async () => undefined).catch(() => undefined),
  }
}
