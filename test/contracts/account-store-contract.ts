import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Account } from '../../shared/domain/accounts/account.ts'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import type { AuditLog } from '../../shared/domain/audit/audit-log.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { auditEntryFor, createSwitchedAuditLog, isInAdmin, makeAccount } from '../support/accounts/stored-accounts.ts'
import { type ContractOptions, itUnless } from './brief.ts'

export type AccountStoreDeps = { readonly isAdministrator: (account: Account) => boolean; readonly audit: AuditLog }

type OpenAccountStore = {
  readonly store: AccountStore
  /** That of a store which brings its own. */
  readonly audit?: ReturnType<typeof createSwitchedAuditLog>
  readonly dispose: () => Promise<void>
}

/** What every AccountStore promises; `open` gives an empty one. */
export const describeAccountStore = (
  name: string,
  open: (deps: AccountStoreDeps) => Promise<OpenAccountStore>,
  { isBrief = false }: ContractOptions = {},
): void => {
  const also = itUnless(isBrief)
  describe(`the account store ${name}`, () => {
    let store: AccountStore
    let dispose: () => Promise<void>
    let audit: ReturnType<typeof createSwitchedAuditLog>
    const put = (account: Account) => store.change(account.email, () => ({ next: account, result: account }))
    const putAll = (accounts: readonly Account[]) => Promise.all(accounts.map(put))
    const remove = (email: string) => store.change(email, (current) => ({ next: undefined, result: current }))
    const emailsOf = async (query: Parameters<AccountStore['listAccounts']>[0]) =>
      (await store.listAccounts(query)).accounts.map(({ email }) => email)

    beforeEach(async () => {
      const given = createSwitchedAuditLog()
      ;({ store, dispose, audit = given } = await open({ isAdministrator: isInAdmin, audit: given }))
    })
    afterEach(() => dispose())

    describe('finding', () => {
      also('finds an account by its email and by its playerId, with all that it holds', async () => {
        const account = {
          ...makeAccount('zoë@example.com'),
          displayName: 'Zoë: #1 "😀"',
          passwordHash: '$2b$04$x',
          passwordKind: 'common' as const,
          subject: 'issuer|sub',
          mappedGroups: ['player'],
          claimedGroups: ['/players', 'a "b", c', "it's"],
        }
        await put(account)
        expect(await store.findBySubject('issuer|sub')).toEqual(account)
        expect(await store.findByEmail('zoë@example.com')).toEqual(account)
        expect(await store.findByPlayerId(account.playerId)).toEqual(account)
      })

      also('finds one whose name people take for a given one, for as long as it bears it', async () => {
        const account = { ...makeAccount('a@example.com'), displayName: 'Zoë 1' }
        await put(account)
        expect(await store.findByName('ZOE l')).toEqual(account)
        expect(await store.findByName('Zoe 2')).toBeUndefined()
        expect(await store.findByName('ZOE l', 'a@example.com')).toBeUndefined()
        const namesake = { ...makeAccount('c@example.com'), displayName: 'zoe l' }
        await put(namesake)
        expect(await store.findByName('Zoë 1', 'a@example.com')).toEqual(namesake)
        expect(await store.findByName('Zoë 1', 'c@example.com')).toEqual(account)
        await remove('c@example.com')
        const renamed = { ...account, displayName: 'Zoe 2' }
        await put(renamed)
        expect([await store.findByName('zoë 1'), await store.findByName('zoë 2')]).toEqual([undefined, renamed])
        await put({ ...makeAccount('b@example.com'), displayName: 'Carl' })
        await remove('a@example.com')
        expect([await store.findByName('zoë 2'), await store.findByName('carl')]).toMatchObject([
          undefined,
          { displayName: 'Carl' },
        ])
      })

      it('gives a name of its own to one alone, however many ask at once, and lets others share one', async () => {
        const ask = (email: string, displayName: string) =>
          store.change(email, () => ({ next: { ...makeAccount(email), displayName }, result: email, ownName: true }))
        const asked = ['a', 'b', 'c'].map((name) => ask(`${name}@example.com`, name === 'b' ? 'ANN' : 'Ann'))
        const settled = await Promise.allSettled(asked)
        expect(settled.filter(({ status }) => status === 'fulfilled').length).toBe(1)
        const slugs = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.slug] : []))
        expect(slugs).toEqual(['display-name-taken', 'display-name-taken'])
        await put({ ...makeAccount('d@example.com'), displayName: 'Ann' })
        expect((await store.findByName('ann'))?.displayName).toMatch(/^ann$/i)
        await expect(ask('e@example.com', 'aNN')).rejects.toMatchObject({ slug: 'display-name-taken' })
      })

      also('finds whoever still bears a name that another took besides and gave up', async () => {
        const ann = { ...makeAccount('a@example.com'), displayName: 'Ann' }
        const ask = (email: string) =>
          store.change(email, () => ({ next: { ...makeAccount(email), displayName: 'ANN' }, result: email, ownName: true }))
        await put(ann)
        for (const leave of [remove, (email: string) => put({ ...makeAccount(email), displayName: 'Bob' })]) {
          await put({ ...makeAccount('b@example.com'), displayName: 'Ann' })
          await leave('b@example.com')
          expect(await store.findByName('ann')).toEqual(ann)
          await expect(ask('c@example.com')).rejects.toMatchObject({ slug: 'display-name-taken' })
        }
        await remove('a@example.com')
        expect(await ask('c@example.com')).toBe('c@example.com')
      })

      it('makes an account of everything that one can have, with its audit entry, changes all of it, and removes it', async () => {
        const audited = (next: Account | undefined) =>
          store.change('a@example.com', () => ({ next, result: next, audit: auditEntryFor('a@example.com'), ownName: true }))
        const whole = (word: string): Account => ({
          ...makeAccount('a@example.com', word),
          displayName: word,
          subject: `issuer|${word}`,
          grants: [{ id: word, by: 'boss', at: '2026-01-01T00:00:00.000Z', until: '2030-01-01T00:00:00.000Z', group: word }],
        })
        for (const account of [whole('old'), { ...whole('new'), grants: [] }, whole('newer')]) {
          await audited(account)
          expect(await store.findBySubject(account.subject ?? '')).toEqual(account)
          expect(await store.findByName(account.displayName)).toEqual(account)
        }
        await audited(undefined)
        expect(await store.findByName('newer')).toBeUndefined()
      })

      also('finds an account by its new email alone once it has moved, by everything else as before', async () => {
        const before: Account = {
          ...makeAccount('old@example.com', 'admin'),
          subject: 'issuer|old',
          displayName: 'Zoë',
          grants: [{ id: 'g', by: 'boss', at: '2026-01-01T00:00:00.000Z', until: '2026-02-01T00:00:00.000Z', group: 'x' }],
        }
        await put(before)
        const after = { ...before, email: 'new@example.com' }
        const audited = auditEntryFor('old@example.com')
        await store.move('old@example.com', 'new@example.com', () => ({ next: after, result: after, audit: audited }))
        expect(await store.findByEmail('old@example.com')).toBeUndefined()
        expect(await store.findByEmail('new@example.com')).toEqual(after)
        expect(await store.findByPlayerId(before.playerId)).toEqual(after)
        expect(await store.findBySubject('issuer|old')).toEqual(after)
        expect(await store.findByName('zoe')).toEqual(after)
        expect(await store.listAdministrators()).toEqual([after])
        expect(await store.listEnded(Date.parse('2026-03-01T00:00:00.000Z'))).toEqual([after])
        expect((await store.listAccounts({ limit: 10 })).accounts).toEqual([after])
        await put({ ...makeAccount('old@example.com'), displayName: 'Other' })
        expect(await emailsOf({ limit: 10 })).toEqual(['new@example.com', 'old@example.com'])
      })

      also('finds a text in an email whichever form of its domain is searched', async () => {
        await put(makeAccount('ann@xn--mnchen-3ya.de'))
        for (const text of ['münch', 'ann@münchen', 'xn--mnchen', 'MÜNCHEN.DE'])
          expect(await emailsOf({ limit: 10, text })).toEqual(['ann@xn--mnchen-3ya.de'])
      })

      it('moves no account to the email of another, and of two to one email only one', async () => {
        const [one, other] = [makeAccount('a@example.com'), makeAccount('b@example.com')]
        await putAll([one, other])
        const move = (account: Account, to: string) =>
          store.move(account.email, to, (current) => ({ next: current && { ...current, email: to }, result: to }))
        await expect(move(one, 'b@example.com')).rejects.toMatchObject({ kind: 'conflict', slug: 'already-exists' })
        const settled = await Promise.allSettled([
          move(one, 'c@example.com'),
          move(other, 'c@example.com'),
          put(makeAccount('d@example.com')),
        ])
        expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        expect(await emailsOf({ limit: 10 })).toEqual(['b@example.com', 'c@example.com', 'd@example.com'])
      })

      also('finds nothing for what is unknown or gone', async () => {
        const account = makeAccount('a@example.com')
        await put(account)
        expect(await store.findBySubject('')).toBeUndefined()
        await put({ ...account, subject: 'issuer|a' })
        await remove('a@example.com')
        expect(await store.findBySubject('issuer|a')).toBeUndefined()
        expect(await store.findByEmail('a@example.com')).toBeUndefined()
        expect(await store.findByPlayerId(account.playerId)).toBeUndefined()
        expect(await store.findByEmail('')).toBeUndefined()
        expect(await store.findByEmail('__proto__')).toBeUndefined()
      })

      also('finds an account by its new playerId only, once it has another', async () => {
        const before = makeAccount('a@example.com')
        await put(before)
        await put({ ...before, playerId: systemIds.uuid() })
        expect(await store.findByPlayerId(before.playerId)).toBeUndefined()
        expect(await store.listAccounts({ limit: 10 })).toMatchObject({ accounts: [{ email: 'a@example.com' }] })
      })

      it('finds an account by the subject that it has now, and by none that it had', async () => {
        const account = await put({ ...makeAccount('a@example.com'), subject: 'issuer|old' })
        await put({ ...account, subject: 'issuer|new' })
        expect(await store.findBySubject('issuer|old')).toBeUndefined()
        expect(await store.findBySubject('issuer|new')).toMatchObject({ email: 'a@example.com', subject: 'issuer|new' })
        await put(account)
        const { subject: _, ...without } = account
        await put(without)
        expect(await store.findBySubject('issuer|old')).toBeUndefined()
        expect(await store.findByEmail('a@example.com')).toEqual(without)
      })
    })

    describe('listing', () => {
      it('lists by email, page after page, each account once', async () => {
        const emails = ['d@x.y', 'a@x.y', 'c@x.y', 'é@x.y', 'b@x.y', 'a.b@x.y', '1@x.y']
        await putAll(emails.map((email) => makeAccount(email)))
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await store.listAccounts({ limit: 3, ...(cursor !== undefined && { cursor }) })
          seen.push(...page.accounts.map(({ email }) => email))
          cursor = page.nextCursor
        } while (cursor !== undefined)
        expect(seen).toEqual(emails.toSorted())
      })

      also('gives no cursor with the last page, even when it is full', async () => {
        await putAll(['a@x.y', 'b@x.y'].map((email) => makeAccount(email)))
        expect(await store.listAccounts({ limit: 2 })).not.toHaveProperty('nextCursor')
        expect(await store.listAccounts({ limit: 1 })).toHaveProperty('nextCursor')
      })

      also('goes on after an account that is gone meanwhile', async () => {
        await putAll(['a@x.y', 'b@x.y', 'c@x.y'].map((email) => makeAccount(email)))
        const { nextCursor = '' } = await store.listAccounts({ limit: 2 })
        await remove('b@x.y')
        expect(await emailsOf({ limit: 2, cursor: nextCursor })).toEqual(['c@x.y'])
      })

      also('goes on after an email that was written by hand and is none', async () => {
        await putAll(['bob', 'c@x.y'].map((email) => makeAccount(email)))
        const { nextCursor = '' } = await store.listAccounts({ limit: 1 })
        expect(await emailsOf({ limit: 1, cursor: nextCursor })).toEqual(['c@x.y'])
        await remove('bob')
        expect(await emailsOf({ limit: 1, cursor: nextCursor })).toEqual(['c@x.y'])
      })

      also.each([
        ['no text', ''],
        ['what is not base64url', '!'],
        ['a bare email', Buffer.from('a@x.y').toString('base64url')],
        ['what is no UTF-8', Buffer.from('after \xff', 'latin1').toString('base64url')],
        ['a cursor with padding', Buffer.from('after a@x.y').toString('base64')],
        ['a cursor with more behind it', `${Buffer.from('after a@x.y').toString('base64url')}!`],
        ['NUL', '\u0000'],
        ['10,000 characters', 'x'.repeat(10_000)],
      ])('refuses %s as a cursor', async (_what, cursor) => {
        await put(makeAccount('a@x.y'))
        await expect(store.listAccounts({ limit: 2, cursor })).rejects.toMatchObject({
          kind: 'invalid',
          slug: 'bad-request',
          errors: [{ pointer: '/cursor', message: expect.any(String) }],
        })
      })

      it('finds text in emails and display names, letter case aside, page after page', async () => {
        await putAll([
          { ...makeAccount('ann@x.y'), displayName: 'Somebody' },
          { ...makeAccount('b@x.y'), displayName: 'JoANNa' },
          { ...makeAccount('c@x.y'), displayName: 'Other' },
          { ...makeAccount('d@hann.y'), displayName: 'Dora' },
        ])
        expect(await emailsOf({ limit: 10, text: 'aNN' })).toEqual(['ann@x.y', 'b@x.y', 'd@hann.y'])
        const { nextCursor = '' } = await store.listAccounts({ limit: 2, text: 'ann' })
        expect(await emailsOf({ limit: 2, text: 'ann', cursor: nextCursor })).toEqual(['d@hann.y'])
        expect(await emailsOf({ limit: 2, text: '.*' })).toEqual([])
      })

      it('lists those who can administer, by email', async () => {
        await putAll([makeAccount('c@x.y', 'admin'), makeAccount('b@x.y'), makeAccount('a@x.y', 'player', 'admin')])
        expect((await store.listAdministrators()).map(({ email }) => email)).toEqual(['a@x.y', 'c@x.y'])
      })
    })

    describe('changing', () => {
      also('gives each decision the account as it is, and its caller the result', async () => {
        expect(await store.change('a@x.y', (current) => ({ next: undefined, result: current }))).toBeUndefined()
        const account = await put(makeAccount('a@x.y'))
        expect(await store.change('a@x.y', (current) => ({ next: current, result: current }))).toEqual(account)
      })

      it('loses none of 200 changes of one account at once', async () => {
        await put(makeAccount('a@x.y'))
        const add = (group: string) =>
          store.change('a@x.y', (current) => ({
            next: current && { ...current, groups: [...current.groups, group] },
            result: current?.groups.length ?? -1,
          }))
        const seen = await Promise.all(Array.from({ length: 200 }, (_, at) => add(`g${at}`)))
        expect(new Set(seen).size).toBe(200)
        expect((await store.findByEmail('a@x.y'))?.groups).toHaveLength(201)
      })

      it('makes one account of many first sign-ins with the same email', async () => {
        const signUp = () =>
          store.change('a@x.y', (current) => {
            const account = current ?? makeAccount('a@x.y')
            return { next: account, result: account.playerId }
          })
        expect(new Set(await Promise.all(Array.from({ length: 50 }, signUp))).size).toBe(1)
      })

      also('refuses only the caller whose decision throws, and keeps nothing of it', async () => {
        const refusal = new AppError('conflict', 'conflict', 'No.')
        const refused = store.change('b@x.y', () => {
          throw refusal
        })
        const results = await Promise.allSettled([put(makeAccount('a@x.y')), refused, put(makeAccount('c@x.y'))])
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        expect(results[1]).toMatchObject({ reason: refusal })
        expect(await emailsOf({ limit: 10 })).toEqual(['a@x.y', 'c@x.y'])
      })

      also('shows a decision the administrators as of that moment, those of changes before it included', async () => {
        await putAll([makeAccount('a@x.y', 'admin'), makeAccount('b@x.y')])
        const seen = await Promise.all([
          store.change('b@x.y', (current, { administrators }) => ({
            next: current && { ...current, groups: ['admin'] },
            result: [...administrators],
          })),
          store.change('a@x.y', (_current, { administrators }) => ({ next: undefined, result: [...administrators].sort() })),
          store.change('c@x.y', (_current, { administrators }) => ({ next: makeAccount('c@x.y'), result: [...administrators] })),
        ])
        expect(seen).toEqual([['a@x.y'], ['a@x.y', 'b@x.y'], ['b@x.y']])
      })

      it('keeps the last administrator, however many are taken away at once', async () => {
        const emails = Array.from({ length: 20 }, (_, at) => `admin${at}@x.y`)
        await putAll(emails.map((email) => makeAccount(email, 'admin')))
        const results = await Promise.allSettled(
          emails.map((email) =>
            store.change(email, (_current, { administrators }) => {
              if (administrators.size === 1) throw new AppError('conflict', 'last-administrator', 'Make another one first.')
              return { next: undefined, result: email }
            }),
          ),
        )
        expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
        expect(await store.listAdministrators()).toHaveLength(1)
      })

      it('refuses an account that it could not read again, and one with the playerId or the subject of another', async () => {
        const account = await put({ ...makeAccount('a@x.y'), subject: 'issuer|a' })
        await expect(put({ ...makeAccount('b@x.y'), subject: 'issuer|a' })).rejects.toMatchObject({ kind: 'conflict' })
        await expect(put({ ...makeAccount('b@x.y'), displayName: '' })).rejects.toMatchObject({ kind: 'invalid' })
        await expect(put({ ...makeAccount('b@x.y'), playerId: account.playerId })).rejects.toMatchObject({ kind: 'conflict' })
        await expect(store.change('b@x.y', () => ({ next: makeAccount('c@x.y'), result: 0 }))).rejects.toThrow()
        expect(await emailsOf({ limit: 10 })).toEqual(['a@x.y'])
      })

      also('tells the latest of an account, and of one that is gone', async () => {
        const account = await put(makeAccount('a@x.y'))
        expect(await store.findByEmail('a@x.y')).toEqual(account)
        await remove('a@x.y')
        expect(await store.findByEmail('a@x.y')).toBeUndefined()
      })

      also('lets two accounts hand a playerId on within one batch', async () => {
        const account = await put(makeAccount('a@x.y'))
        await Promise.all([remove('a@x.y'), put({ ...makeAccount('b@x.y'), playerId: account.playerId })])
        expect(await store.findByPlayerId(account.playerId)).toMatchObject({ email: 'b@x.y' })
      })

      it('gives a subject to one of many that ask for it at once', async () => {
        const accounts = Array.from({ length: 20 }, (_, at) => ({ ...makeAccount(`a${at}@x.y`), subject: 'issuer|one' }))
        const results = await Promise.allSettled(accounts.map(put))
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        const { accounts: kept } = await store.listAccounts({ limit: 200 })
        expect(kept).toEqual([await store.findBySubject('issuer|one')])
      })

      it('deletes at most one of two accounts when each deletion needs the other account', async () => {
        const [ann, bob] = [makeAccount('ann@example.com'), makeAccount('bob@example.com')]
        await putAll([ann, bob])
        const merge = (from: Account, into: Account) =>
          store.change(from.email, (current) => ({ next: undefined, result: current, needs: into.email }))
        const settled = await Promise.allSettled([merge(ann, bob), merge(bob, ann)])
        expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { kind: 'not-found' } })
        expect(await emailsOf({ limit: 9 })).toHaveLength(1)
      })

      also('tells a decision whether an account would be one that can administer', async () => {
        await store.change('a@x.y', (_current, { isAdministrator }) => {
          expect(isAdministrator(makeAccount('a@x.y', 'admin'))).toBe(true)
          expect(isAdministrator(makeAccount('a@x.y', 'player'))).toBe(false)
          return { next: undefined, result: undefined }
        })
        expect(store.isAdministrator(makeAccount('a@x.y', 'admin'))).toBe(true)
      })
    })

    describe('versions', () => {
      also('moves with every change, and stays with what changes nothing', async () => {
        const versions = [await store.version()]
        await put(makeAccount('a@x.y', 'player'))
        versions.push(await store.version())
        await store.change('a@x.y', (current) => ({ next: current && { ...current, groups: ['admins'] }, result: 0 }))
        versions.push(await store.version())
        await remove('a@x.y')
        versions.push(await store.version())
        expect(new Set(versions).size).toBe(4)
        await store.change('a@x.y', () => ({ next: undefined, result: 0 }))
        expect(await store.version()).toBe(versions[3])
      })
    })

    describe('the audit log', () => {
      it('has the entry of each change when it resolves, that of one that changes nothing included', async () => {
        const seconds = { 'a@x.y': 1, 'b@x.y': 2, 'c@x.y': 3 }
        await Promise.all(
          Object.entries(seconds).map(([email, second]) => {
            const next = email === 'c@x.y' ? undefined : makeAccount(email)
            return store.change(email, () => ({
              next,
              audit: auditEntryFor(email, `2026-01-01T00:00:0${second}.000Z`),
              result: 0,
            }))
          }),
        )
        const { entries } = await audit.listEntries({ limit: 10 })
        expect(entries.map(({ target }) => target)).toEqual(['c@x.y', 'b@x.y', 'a@x.y'])
      })

      it('has nothing of a change that was refused', async () => {
        await expect(
          store.change('a@x.y', () => ({
            next: { ...makeAccount('a@x.y'), groups: ['x', 'x'] },
            audit: auditEntryFor('a@x.y'),
            result: 0,
          })),
        ).rejects.toMatchObject({ kind: 'invalid' })
        expect(await audit.listEntries({ limit: 10 })).toEqual({ entries: [] })
      })

      also('stops every change while it cannot be written', async () => {
        await put(makeAccount('a@x.y'))
        const version = await store.version()
        audit.switchOff()
        const change = store.change('a@x.y', () => ({ next: undefined, audit: auditEntryFor('a@x.y'), result: 0 }))
        await expect(change).rejects.toMatchObject({ kind: 'unavailable', slug: 'service-unavailable' })
        expect(await store.findByEmail('a@x.y')).toBeDefined()
        expect(await store.version()).toBe(version)
        audit.switchOn()
        await store.change('a@x.y', () => ({ next: undefined, audit: auditEntryFor('a@x.y'), result: 0 }))
        expect(await store.findByEmail('a@x.y')).toBeUndefined()
      })
    })
  })
}
