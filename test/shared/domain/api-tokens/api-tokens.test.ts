import { describe, expect, it } from '@jest/globals'
import { createApiTokens } from '../../../../shared/domain/api-tokens/api-tokens.ts'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createMemoryTokenStore } from '../../../support/auth/memory-tokens.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

const owner = {
  playerId: '6e1f4a3e-37b0-4c39-9a6e-0d6f6f0c2a11',
  actor: { email: 'ann@example.com', via: 'http', requestId: 'r' },
  target: 'ann@example.com',
} as const

const openTokens = () => {
  const clock = createFixedClock()
  const store = createMemoryStore()
  const signInTokens = createMemoryTokenStore({ clock, ids: systemIds })
  const state = { isAway: false, reads: 0 }
  const published: string[] = []
  const apiTokens = createApiTokens({
    store: {
      ...store,
      get: (...asked) => {
        state.reads += 1
        return store.get(...asked)
      },
    },
    tokens: {
      revokeSignIn: (signIn) =>
        state.isAway
          ? Promise.reject(new AppError('unavailable', 'service-unavailable', 'away'))
          : signInTokens.revokeSignIn(signIn),
    },
    events: { publish: async (_topic, { signInId }: { readonly signInId?: string }) => void published.push(signInId ?? '') },
    audit: createStoreAuditLog(store),
    emailOf: async () => 'ann@example.com',
    clock,
    ids: systemIds,
    log: silentLog,
  })
  return { apiTokens, clock, state, published, signInTokens }
}

describe('API tokens', () => {
  it('die at once while sign-ins are unavailable; a repeated deletion closes connections', async () => {
    const { apiTokens, state, published, signInTokens } = openTokens()
    const { token, created } = await apiTokens.create(owner, { name: 'bot', permissions: ['*'] })
    expect(await apiTokens.find(token)).toBeDefined()
    state.isAway = true
    await expect(apiTokens.end(owner, created.id)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await apiTokens.find(token)).toBeUndefined()
    expect(await apiTokens.list(owner.playerId)).toEqual([])
    expect(published).toEqual([])
    state.isAway = false
    expect(await apiTokens.end(owner, created.id)).toBe(true)
    expect(published).toEqual([created.id])
    expect(await signInTokens.revokedSince(0)).toMatchObject([{ playerId: owner.playerId, signInId: created.id }])
    expect(await apiTokens.end(owner, created.id)).toBe(false)
  })

  it.each(['', '   ', '\u001b[2J', 'a\nb', '\u200b', 'x'.repeat(65)])('refuse the name %j', async (name) => {
    const { apiTokens } = openTokens()
    await expect(apiTokens.create(owner, { name, permissions: ['*'] })).rejects.toMatchObject({
      kind: 'invalid',
      errors: [{ pointer: '/name' }],
    })
  })

  it('are read at most once a second', async () => {
    const { apiTokens, clock, state } = openTokens()
    const { token } = await apiTokens.create(owner, { name: 'bot', permissions: ['*'] })
    const before = state.reads
    for (let at = 0; at < 10; at += 1) {
      await apiTokens.find(token)
      clock.advance(100)
    }
    expect(state.reads).toBe(before + 1)
    await apiTokens.find(token)
    expect(state.reads).toBe(before + 2)
  })

  it('are not read for a text of another shape', async () => {
    const { apiTokens, state } = openTokens()
    for (const text of ['', 'ght_', `ght_${'a'.repeat(42)}`, `ght_${'a'.repeat(44)}`, `GHT_${'a'.repeat(43)}`])
      expect(await apiTokens.find(text)).toBeUndefined()
    expect(state.reads).toBe(0)
  })

  it('have their owner found by their id alone', async () => {
    const { apiTokens } = openTokens()
    const { created } = await apiTokens.create(owner, { name: 'bot', permissions: ['*'] })
    expect(await apiTokens.findOwner(created.id)).toBe(owner.playerId)
    expect(await apiTokens.findOwner(created.id.slice(1))).toBeUndefined()
    expect(await apiTokens.findOwner('')).toBeUndefined()
  })
})
