import { describe, expect, it } from '@jest/globals'
import { createMemoryAccountStore } from '../../../../../shared/domain/accounts/store/memory-account-store.ts'
import { createSwitchedAuditLog, isInAdmin, makeAccount } from '../../../../support/accounts/stored-accounts.ts'

const create = async (names: Readonly<Record<string, string>>) => {
  const store = createMemoryAccountStore({ isAdministrator: isInAdmin, audit: createSwitchedAuditLog() })
  const put = (email: string, displayName: string, ownName?: true) =>
    store.change(email, (current) => ({
      next: { ...(current ?? makeAccount(email)), displayName },
      result: displayName,
      ...(ownName && { ownName }),
    }))
  const remove = (email: string) => store.change(email, () => ({ next: undefined, result: 'gone' }))
  for (const [email, displayName] of Object.entries(names)) await put(email, displayName)
  const version = await store.version()
  const countCommits = async (): Promise<number> => Number(await store.version()) - Number(version)
  return { put, remove, countCommits }
}

describe('planChanges', () => {
  it.each(['renames', 'removes'] as const)('gives a name to a requester in the commit that %s its holder', async (how) => {
    const { put, remove, countCommits } = await create({ 'a@example.com': 'Ann' })
    const leave = how === 'renames' ? put('a@example.com', 'Bea') : remove('a@example.com')
    expect(await Promise.all([leave, put('b@example.com', 'ANN', true)])).toEqual([expect.any(String), 'ANN'])
    expect(await countCommits()).toBe(1)
  })

  it('gives a name that was added and removed in the commit', async () => {
    const { put, remove, countCommits } = await create({})
    const passing = [put('a@example.com', 'Ann', true), remove('a@example.com'), put('b@example.com', 'Ann', true)]
    expect(await Promise.all(passing)).toEqual(['Ann', 'gone', 'Ann'])
    expect(await countCommits()).toBe(1)
  })

  it.each([
    ['before the commit', { 'a@example.com': 'Ann', 'b@example.com': 'ann' }, undefined],
    ['in the commit', { 'a@example.com': 'Ann' }, 'b@example.com'],
  ])('refuses a name that one account releases and another takes %s', async (_when, names, taker) => {
    const { put } = await create(names)
    const batch = [...(taker === undefined ? [] : [put(taker, 'Ann')]), put('a@example.com', 'Bea')]
    const request = put('c@example.com', 'Ann', true)
    await expect(request).rejects.toMatchObject({ slug: 'display-name-taken' })
    await Promise.all(batch)
  })

  it('refuses a name that another account gets in the commit', async () => {
    const { put } = await create({ 'a@example.com': 'Ann' })
    const renamed = put('a@example.com', 'Bea')
    await expect(put('b@example.com', 'BEA', true)).rejects.toMatchObject({ slug: 'display-name-taken' })
    await renamed
  })
})
