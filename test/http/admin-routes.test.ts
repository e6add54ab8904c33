import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../functions/all-routes.ts'
import type { CallerName } from '../support/http/http-fixture.ts'
import { doors } from './doors.ts'

const adminRoutes = allRoutes.filter(({ path }) => path.startsWith('/api/admin/'))

/** The server checks the permission before it knows the owner of the zone. */
const isOfOwner = (path: string) => /:id\/(rules|members)$/.test(path)
const addressOf = (path: string) =>
  (isOfOwner(path) ? path.replace(':id', 'e2b0a3a2-0000-4000-8000-000000000000') : path)
    .replace(/:email/, 'player@example.com')
    .replaceAll(/[:*]\w+/g, 'anything')
/** The permission that the answer names to a caller without any. For an undo it is the one of the write, here of accounts. */
const undoPath = '/api/admin/audit/:id/undo'
const landPaths: Readonly<Record<string, string>> = {
  '/api/admin/worlds/:world/history': 'admin.history.read',
  '/api/admin/worlds/:world/rollback': 'admin.history.write',
  // The caller who started the job in an own zone needs no permission.
  '/api/admin/jobs/:id': 'admin.jobs.read',
}
const missingAt = ({ path, permission }: (typeof adminRoutes)[number]): string => {
  if (isOfOwner(path)) return 'admin.instances.write'
  const land = landPaths[path]
  if (land !== undefined) return land
  return path === undoPath ? 'admin.users.write' : permission
}
const bodyOf = (path: string) => {
  if (path.endsWith('/rollback')) return { since: '2026-01-01T00:00:00Z', by: '3f8f6a52-7c1d-4a57-9a0e-5d6f0c1b2a39' }
  return isOfOwner(path) ? (path.endsWith('members') ? [] : {}) : harm
}
const harm = { displayName: 'Mallory', groups: ['admin'] }

describe('the admin routes', () => {
  it('exist, and each has a permission for its kind of access', () => {
    expect(adminRoutes.length).toBeGreaterThan(5)
    expect(adminRoutes.filter((route) => !missingAt(route).startsWith('admin.'))).toEqual([])
  })
})

describe.each(doors)('every admin route through %s', (_name, open) => {
  type Case = readonly [string, CallerName, number, number, string]
  const cases: readonly Case[] = [
    ['nobody', 'nobody', 0, 401, 'not-signed-in'],
    ['a player', 'player', 0, 403, 'missing-permission'],
    ['an administrator with an expired token', 'admin', 600_000, 401, 'invalid-token'],
    ['an administrator without a verified password', 'unverified-admin', 0, 403, 'password-sign-in-needed'],
  ]

  it.each(cases)('refuses %s and changes nothing', async (_who, as, waitedMs, status, slug) => {
    const { request, clock, accountStore, deps } = await open({ as })
    clock.advance(waitedMs)
    const before = await accountStore.version()
    for (const route of adminRoutes) {
      const { method, path } = route
      const body = method === 'get' ? {} : { body: bodyOf(path) }
      const answer = await request(method.toUpperCase(), addressOf(path), body)
      expect({ method, path, ...answer }).toMatchObject({ method, path, status, body: { type: `/problems/${slug}` } })
      if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer')
      else expect(answer.body.detail).toContain(missingAt(route))
    }
    expect(await accountStore.version()).toBe(before)
    expect((await deps.audit.listEntries({ limit: 1 })).entries).toEqual([])
  })

  it('admits an administrator with a verified password', async () => {
    const { request } = await open({ as: 'admin' })
    for (const { method, path } of adminRoutes) {
      const { status } = await request(method.toUpperCase(), addressOf(path), method === 'get' ? {} : { body: {} })
      expect({ method, path, status }).not.toMatchObject({ status: 401 })
      expect({ method, path, status }).not.toMatchObject({ status: 403 })
    }
  })
})
