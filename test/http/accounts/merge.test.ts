import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../functions/all-routes.ts'
import { openZoneDoor } from '../../support/zones/zone-door.ts'
import { zoneEditor } from '../../support/zones/zone-fixture.ts'
import { doors, type OpenDoor, type OpenOptions } from '../doors.ts'

const oldEmail = 'bili@example.com'
const newEmail = 'bill@example.com'
const path = `/api/admin/users/${oldEmail}/merge`

const groups = {
  groups: [
    { name: 'player', permissions: ['game.join'] },
    { name: 'builder', permissions: ['zone.build'] },
    { name: 'helper', permissions: ['admin.users.read', 'admin.users.write'] },
  ],
}

const open = async (openDoor: (options?: OpenOptions) => Promise<OpenDoor>) => {
  const door = await openZoneDoor(openDoor, { routes: allRoutes, configs: { groups } })
  const { deps, post, put } = door
  const ids: Record<string, string> = {}
  for (const email of [oldEmail, newEmail, 'cid@example.com']) {
    const { body } = await post('/api/admin/users', { email, password: 'a long password', groups: ['player'] })
    ids[email] = body.playerId
    door.clock.advance(1)
  }
  const [oldId = '', newId = '', cid = ''] = Object.values(ids)
  await put(`/api/admin/users/${oldEmail}`, { groups: ['player', 'builder'] })
  await post(`/api/admin/users/${oldEmail}/grants`, { permission: 'admin.worlds.read' })
  const { zone: owned } = await door.addZone({ name: 'Owned' })
  const { zone: joined } = await door.addZone({ name: 'Joined', chunks: [{ cx: 2, cz: 2 }] })
  await put(`/api/admin/instances/${owned.id}`, { owner: oldId })
  await put(`/api/admin/instances/${owned.id}/members`, [oldId, cid])
  await put(`/api/admin/instances/${joined.id}/members`, [cid, oldId, newId])
  await post('/api/admin/sanctions', { kind: 'ban', email: oldEmail, reason: 'grief', until: '2999-01-01T00:00:00.000Z' })
  await deps.apiTokens.create(
    { playerId: oldId, actor: { email: oldEmail, via: 'http', requestId: 'r' }, target: oldEmail },
    { name: 'bot', permissions: ['game.join'] },
  )
  door.clock.advance(1)
  const find = (email: string) => deps.accountStore.findByEmail(email)
  const bans = async (email: string) =>
    (await deps.sanctions.listSanctions({ email, active: true, limit: 9 })).sanctions.map(({ reason }) => reason)
  const zoneOf = async (id: string) => {
    const { owner, members = [] } = (await deps.zones.getZone(id)).zone
    return { owner, members: members.toSorted() }
  }
  /** All that the merge must have done. */
  const expectMerged = async () => {
    expect(await find(oldEmail)).toBeUndefined()
    const account = await find(newEmail)
    expect(account).toMatchObject({
      playerId: newId,
      groups: ['player', 'builder'],
      grants: [{ permission: 'admin.worlds.read' }],
    })
    expect(await zoneOf(owned.id)).toMatchObject({ owner: newId, members: [newId, cid].sort() })
    expect(await zoneOf(joined.id)).toMatchObject({ members: [cid, newId].sort() })
    expect(await bans(newEmail)).toEqual(['grief'])
    expect(await bans(oldEmail)).toEqual(['grief'])
    expect(await deps.apiTokens.list(oldId)).toEqual([])
  }
  return { ...door, oldId, newId, cid, owned, joined, find, bans, zoneOf, expectMerged }
}

describe.each(doors)('a merge of two accounts through %s', (_name, openDoor) => {
  it('previews without writing, then moves everything, in audit entries of one request', async () => {
    const { post, get, deps, owned, joined, newId, find, expectMerged } = await open(openDoor)
    const before = (await deps.audit.listEntries({ limit: 200 })).entries.length
    const hash = (await find(newEmail))?.passwordHash
    const preview = await post(path, { into: newEmail, dryRun: true })
    expect(preview).toMatchObject({
      status: 200,
      body: {
        into: { playerId: newId, groups: ['player', 'builder'] },
        addedGroups: ['builder'],
        addedGrants: 1,
        movesPassword: false,
        sanctions: [{ kind: 'ban', reason: 'grief' }],
        apiTokens: 1,
      },
    })
    const zones = preview.body.zones.map(({ id }: { id: string }) => id)
    expect(zones.toSorted()).toEqual([owned.id, joined.id].toSorted())
    expect((await deps.audit.listEntries({ limit: 200 })).entries).toHaveLength(before)
    const merged = await post(path, { into: newEmail })
    expect(merged).toMatchObject({ status: 200, body: { ...preview.body, into: { playerId: newId } } })
    await expectMerged()
    expect((await find(newEmail))?.passwordHash).toBe(hash)
    const { entries } = await deps.audit.listEntries({ limit: 200 })
    const added = entries.slice(0, entries.length - before)
    expect(added.map(({ action }) => action).sort()).toEqual([
      'account.delete',
      'account.update',
      'sanction.create',
      'zone.update',
      'zone.update',
      'zone.update',
    ])
    expect(new Set(added.map(({ requestId }) => requestId)).size).toBe(1)
    expect(added.flatMap(({ mergedInto }) => mergedInto ?? [])).toEqual([newEmail])
    expect(added.find(({ action }) => action === 'account.delete')).toMatchObject({ target: oldEmail, mergedInto: newEmail })
    expect((await post(path, { into: newEmail })).status).toBe(404)
    expect((await get(`/api/admin/users/${oldEmail}`)).status).toBe(404)
  })

  it('is finished by the same request after a crash at any step', async () => {
    for (let step = 0; step < 6; step += 1) {
      const opened = await open(openDoor)
      const { deps, post, find, bans, expectMerged, accountStore, oldId } = opened
      let left = step
      const crash = () => {
        if (left === 0) throw new Error('crashed')
        left -= 1
      }
      const crashing =
        <A extends readonly unknown[], R>(run: (...args: A) => Promise<R>, isStep: (args: A) => boolean = () => true) =>
        async (...args: A): Promise<R> => {
          if (isStep(args)) crash()
          return run(...args)
        }
      Object.assign(deps.sanctions, { impose: crashing(deps.sanctions.impose) })
      Object.assign(deps.zones, { changeZone: crashing(deps.zones.changeZone) })
      Object.assign(deps.accounts, {
        absorb: crashing(deps.accounts.absorb, ([, , , options]) => options === undefined),
        removeAccount: crashing(deps.accounts.removeAccount),
      })
      expect((await post(path, { into: newEmail })).status).toBe(500)
      // The old account is there until everything has moved, and its ban stays.
      expect((await accountStore.findByPlayerId(oldId))?.email).toBe(oldEmail)
      expect(await bans(oldEmail)).toEqual(['grief'])
      expect((await find(newEmail))?.groups.includes('builder')).toBe(step > 1)
      left = Number.POSITIVE_INFINITY
      expect((await post(path, { into: newEmail })).status).toBe(200)
      await expectMerged()
    }
  })

  it('keeps one account and its zones when two merges run in opposite directions', async () => {
    const { post, put, accountStore, deps, owned, joined, oldId, newId } = await open(openDoor)
    await put(`/api/admin/instances/${joined.id}`, { owner: newId })
    // Both have moved everything before either of them deletes its account.
    const { removeAccount } = deps.accounts
    const waiting: (() => void)[] = []
    Object.assign(deps.accounts, {
      removeAccount: async (...args: Parameters<typeof removeAccount>) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          if (waiting.length === 2) for (const go of waiting.splice(0)) go()
        })
        return removeAccount(...args)
      },
    })
    const answers = await Promise.all([
      post(path, { into: newEmail }),
      post(`/api/admin/users/${newEmail}/merge`, { into: oldEmail }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    const left = [await accountStore.findByPlayerId(oldId), await accountStore.findByPlayerId(newId)].filter(
      (account) => account !== undefined,
    )
    expect(left).toHaveLength(1)
    const [remaining] = left
    expect(remaining?.groups.toSorted()).toEqual(['builder', 'player'])
    for (const { id } of [owned, joined]) {
      const { zone } = await deps.zones.getZone(id)
      expect(zone.owner).toBe(remaining?.playerId)
      expect(zone.members ?? []).not.toContain(remaining?.playerId === oldId ? newId : oldId)
    }
  })

  it('moves the password only if the remaining account has none', async () => {
    const { post, find, accountStore } = await open(openDoor)
    const old = await find(oldEmail)
    await accountStore.change(newEmail, (current) => {
      if (current === undefined) return { next: undefined, result: undefined }
      const { passwordHash: _, ...next } = current
      return { next, result: undefined }
    })
    expect((await post(path, { into: newEmail })).body).toMatchObject({ movesPassword: true, into: { hasPassword: true } })
    expect((await find(newEmail))?.passwordHash).toBe(old?.passwordHash)
  })

  it('can be undone entry by entry', async () => {
    const { post, get, find, zoneOf, bans, owned, joined, oldId, newId, cid } = await open(openDoor)
    const { headers } = await post(path, { into: newEmail })
    const requestId = headers['x-request-id']
    const { entries } = (await get(`/api/admin/audit?requestId=${requestId}`)).body
    expect(entries).toHaveLength(6)
    const restore = entries.find(({ action }: { action: string }) => action === 'account.delete')
    for (const { id } of [restore, ...entries.filter((entry: object) => entry !== restore)])
      expect((await post(`/api/admin/audit/${id}/undo?force=true`)).status).toBe(200)
    expect(await find(oldEmail)).toMatchObject({ playerId: oldId, groups: ['player', 'builder'] })
    const remaining = await find(newEmail)
    expect(remaining).toMatchObject({ groups: ['player'] })
    expect(remaining?.grants ?? []).toEqual([])
    expect((await zoneOf(owned.id)).owner).toBe(oldId)
    expect((await zoneOf(joined.id)).members).toEqual([cid, oldId, newId].sort())
    expect([await bans(oldEmail), await bans(newEmail)]).toEqual([['grief'], []])
  })

  it('is refused with the reason, and changes nothing', async () => {
    const { post, accountStore, deps } = await open(openDoor)
    const before = (await deps.audit.listEntries({ limit: 200 })).entries.length
    expect((await post(path, { into: oldEmail.toUpperCase() })).status).toBe(422)
    expect((await post(path, { into: 'nobody@example.com' })).status).toBe(404)
    expect((await post('/api/admin/users/nobody@example.com/merge', { into: newEmail })).status).toBe(404)
    expect((await post(path, {})).status).toBe(400)
    await accountStore.change(oldEmail, (account) => ({
      next: account && { ...account, subject: 'issuer|1' },
      result: undefined,
    }))
    const vouched = await post(path, { into: newEmail })
    expect(vouched).toMatchObject({ status: 422, body: { detail: expect.stringContaining('identity provider') } })
    expect((await deps.audit.listEntries({ limit: 200 })).entries).toHaveLength(before)
  })

  it('names groups and grants beyond the permissions of the caller, and missing permissions', async () => {
    const { post, put, deps, clock } = await open(openDoor)
    const account = await deps.accountStore.findByEmail('cid@example.com')
    await put('/api/admin/users/cid@example.com', { groups: ['helper'] })
    const token = await deps.tokens.issue({
      playerId: account?.playerId ?? '',
      verified: true,
      signInId: 'sign-in',
      signedInAt: clock.now(),
    })
    const asCid = { authorization: `Bearer ${token}` }
    const beyond = await post(path, { into: newEmail }, asCid)
    expect(beyond).toMatchObject({ status: 403, body: { type: expect.stringContaining('beyond-own-permissions') } })
    for (const part of ['the group "builder"', 'the grant of "admin.worlds.read"']) expect(beyond.body.detail).toContain(part)
    await put('/api/admin/users/cid@example.com', { groups: ['helper', 'builder', 'player'] })
    await post('/api/admin/users/cid@example.com/grants', { permission: 'admin.worlds.read' })
    const missing = await post(path, { into: newEmail }, asCid)
    expect(missing).toMatchObject({ status: 403, body: { type: expect.stringContaining('missing-permission') } })
    expect(missing.body.detail).toContain('admin.sanctions.write')
  })

  it('keeps the last administrator', async () => {
    const { post, deps } = await open(openDoor)
    const ban = { kind: 'ban', email: newEmail, reason: 'grief', until: '2999-01-01T00:00:00.000Z' }
    const { body: banned } = await post('/api/admin/sanctions', ban)
    const before = (await deps.audit.listEntries({ limit: 200 })).entries.length
    expect(await post('/api/admin/users/admin@example.com/merge', { into: newEmail })).toMatchObject({
      status: 409,
      body: { type: expect.stringContaining('last-administrator') },
    })
    expect((await deps.audit.listEntries({ limit: 200 })).entries).toHaveLength(before)
    await deps.sanctions.end({ ...zoneEditor, requestId: 'end' }, banned.id)
    expect((await post('/api/admin/users/admin@example.com/merge', { into: newEmail })).body).toMatchObject({
      into: { groups: expect.arrayContaining(['admin']) },
    })
  })
})
