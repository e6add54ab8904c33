import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../functions/all-routes.ts'
import { createAuditEntry } from '../../../shared/domain/audit/audit-entry.ts'
import { playerStates } from '../../../shared/domain/players/player-state.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { operator } from '../../support/accounts/account-fixture.ts'
import { fixturePassword } from '../../support/http/http-fixture.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { newZone, openZoneDoor, zonesPath } from '../../support/zones/zone-door.ts'
import { generateColumns, squareOf } from '../../support/zones/zone-fixture.ts'
import { doors, type OpenDoor } from '../doors.ts'

const email = 'player@example.com'
const account = `/api/admin/users/${email}`
const slugOf = ({ body }: { body: { type: string } }) => body.type.replace('/problems/', '')

/** The newest entry of its kind. Entries of the same millisecond have no order, so the clock advances. */
const lastEntry = async ({ get, clock }: Pick<OpenDoor, 'get' | 'clock'>, action: string) => {
  const { body } = await get('/api/admin/audit?limit=50')
  clock.advance(1)
  const entry = body.entries.find((one: { action: string }) => one.action === action)
  if (entry === undefined) throw new Error(`there is no entry of ${action}`)
  return entry
}
const undo = ({ post }: Pick<OpenDoor, 'post'>, id: string, query = '') => post(`/api/admin/audit/${id}/undo${query}`)

describe.each(doors)('undo through %s', (_name, open) => {
  it('restores a changed account, previews it in a dry run, and can itself be undone', async () => {
    const door = await open({ as: 'admin' })
    await door.put(account, { displayName: 'Changed', groups: [] })
    const entry = await lastEntry(door, 'account.update')
    expect(await undo(door, entry.id, '?dryRun=true')).toMatchObject({ status: 200, body: { would: { displayName: 'player' } } })
    expect((await door.get(account)).body.displayName).toBe('Changed')
    const undone = await undo(door, entry.id)
    expect(undone).toMatchObject({
      status: 200,
      body: {
        entry: { action: 'account.update', undoes: entry.id, via: 'http' },
        restored: { displayName: 'player', groups: ['player'] },
      },
    })
    expect((await door.get(account)).body).toMatchObject({ displayName: 'player', groups: ['player'] })
    expect((await undo(door, undone.body.entry.id)).body.restored).toMatchObject({ displayName: 'Changed', groups: [] })
    expect((await door.get(`/api/admin/audit/${entry.id}`)).body).toEqual(entry)
  })

  it('restores a name that another account has only with force, also of a deleted account', async () => {
    const door = await open({ as: 'admin' })
    await door.put(account, { displayName: 'Twin' })
    const renamed = await lastEntry(door, 'account.update')
    const other = { email: 'other@example.com', password: 'a good password', displayName: 'player' }
    expect((await door.post('/api/admin/users', other)).status).toBe(201)
    expect(slugOf(await undo(door, renamed.id))).toBe('display-name-taken')
    expect((await undo(door, renamed.id, '?force=true')).body.restored).toMatchObject({ displayName: 'player' })
    expect((await door.get(account)).body).toMatchObject({ displayName: 'player' })
    await door.del(account)
    const deleted = await lastEntry(door, 'account.delete')
    expect(slugOf(await undo(door, deleted.id))).toBe('display-name-taken')
    expect((await undo(door, deleted.id, '?force=true')).status).toBe(200)
    expect((await door.get(account)).body).toMatchObject({ displayName: 'player' })
  })

  it('is refused when the target changed since, or is undone already, with its values', async () => {
    const door = await open({ as: 'admin' })
    await door.put(account, { displayName: 'One' })
    const entry = await lastEntry(door, 'account.update')
    await door.put(account, { displayName: 'Two' })
    for (const query of ['', '?dryRun=true']) {
      const refused = await undo(door, entry.id, query)
      expect([refused.status, slugOf(refused)]).toEqual([409, 'changed-since'])
      expect(refused.body).toMatchObject({
        before: { displayName: 'player' },
        after: { displayName: 'One' },
        current: { displayName: 'Two' },
      })
    }
    await door.put(account, { displayName: 'One' })
    expect((await undo(door, entry.id)).status).toBe(200)
    expect(slugOf(await undo(door, entry.id))).toBe('changed-since')
  })

  it('restores a field when only another field changed since, and keeps that change', async () => {
    const door = await open({ as: 'admin' })
    await door.put(account, { groups: [] })
    const { id } = await lastEntry(door, 'account.update')
    await door.put(account, { displayName: 'Renamed' })
    expect((await undo(door, id, '?dryRun=true')).body.would).toMatchObject({ displayName: 'Renamed', groups: ['player'] })
    expect((await undo(door, id)).status).toBe(200)
    expect((await door.get(account)).body).toMatchObject({ displayName: 'Renamed', groups: ['player'] })
  })

  it('revokes one grant and keeps a later grant', async () => {
    const door = await open({ as: 'admin' })
    await door.post(`${account}/grants`, { permission: 'world.fly' })
    const first = await lastEntry(door, 'account.update')
    door.clock.advance(1)
    await door.post(`${account}/grants`, { permission: 'command.tp' })
    expect((await undo(door, first.id)).body.restored.grants).toMatchObject([{ permission: 'command.tp' }])
    const refused = await undo(door, first.id)
    expect([refused.status, refused.body.changed]).toEqual([
      409,
      [{ pointer: '/grants', by: 'admin@example.com', at: expect.any(String) }],
    ])
  })

  it('answers each field that changed since, with the actor and the time', async () => {
    const door = await open({ as: 'admin' })
    await door.put(account, { displayName: 'One' })
    const { id } = await lastEntry(door, 'account.update')
    door.clock.advance(1000)
    await door.put(account, { displayName: 'Two' })
    const { at } = await lastEntry(door, 'account.update')
    door.clock.advance(1000)
    await door.put(account, { groups: [] })
    for (const query of ['', '?dryRun=true']) {
      const { status, body } = await undo(door, id, query)
      expect([status, body.changed]).toEqual([409, [{ pointer: '/displayName', by: 'admin@example.com', at }]])
      expect(body.detail).toBe(`Nothing was undone: displayName was changed by admin@example.com at ${at}.`)
    }
  })

  it('restores one part of a zone when only another part changed since', async () => {
    const door = await openZoneDoor(open, { routes: allRoutes })
    const { body: zone } = await door.post(zonesPath, newZone)
    await door.put(`${zonesPath}/${zone.id}`, { name: 'Second' })
    const { id } = await lastEntry(door, 'zone.update')
    door.clock.advance(1)
    await door.put(`${zonesPath}/${zone.id}/enabled`, { enabled: false })
    expect((await undo(door, id)).status).toBe(200)
    expect((await door.get(`${zonesPath}/${zone.id}`)).body).toMatchObject({ name: newZone.name, enabled: false })
    const renamed = await undo(door, id)
    expect(renamed.body.changed).toMatchObject([{ pointer: '/name', by: 'admin@example.com' }])
  })

  it('of a config that was saved since answers the keys, the writer and the revision to restore', async () => {
    const door = await open({ as: 'admin' })
    const path = '/api/admin/configs/server.yaml'
    const save = async (rawBody: string) => {
      door.clock.advance(1)
      expect((await door.request('PUT', path, { rawBody, headers: { 'content-type': 'application/yaml' } })).status).toBe(200)
    }
    await save('realtime: {viewRadius: 5}\n')
    await save('realtime: {viewRadius: 6}\n')
    const { id } = await lastEntry(door, 'config.save')
    await save('realtime: {viewRadius: 6, motd: Hi}\n')
    const { status, body } = await undo(door, id)
    expect([status, body.changed]).toEqual([
      409,
      [{ pointer: '/realtime/motd', by: 'admin@example.com', at: expect.any(String) }],
    ])
    const revision = await door.get(`/api/admin/config-revisions/server.yaml?revision=${body.revision}`)
    expect(revision.text).toBe('realtime: {viewRadius: 5}\n')
  })

  it('of disabled commands enables them, also in the running session, and can itself be undone', async () => {
    const door = await open({ as: 'admin' })
    const { playerId } = (await door.get(account)).body
    const [before, after] = [
      { disabledBySelf: [], disabledByOthers: [] },
      { disabledBySelf: [], disabledByOthers: ['say'] },
    ]
    await door.store.put(playerStates, playerId, after)
    const actor = { email: 'admin@example.com', via: 'command', requestId: 'r' } as const
    const switched = createAuditEntry(door.deps, actor, { action: 'player.disable-command', target: email, before, after })
    await door.deps.audit.append([switched])
    const delivered: string[] = []
    await door.events.subscribe('commands-switched', (event) => void delivered.push(event.playerId))
    expect((await undo(door, switched.id, '?dryRun=true')).body).toEqual({ would: before })
    const undone = await undo(door, switched.id)
    expect(undone).toMatchObject({ status: 200, body: { entry: { action: 'player.enable-command', undoes: switched.id } } })
    expect((await door.deps.store.get(playerStates, playerId))?.value).toEqual(before)
    await waitFor(() => delivered.join() === playerId)
    expect(slugOf(await undo(door, switched.id))).toBe('changed-since')
    expect((await undo(door, undone.body.entry.id)).body.restored).toEqual(after)
  })

  it('of disabled commands that loses to another change leaves no entry', async () => {
    const door = await open({ as: 'admin' })
    const { playerId } = (await door.get(account)).body
    const [before, after] = [
      { disabledBySelf: [], disabledByOthers: [] },
      { disabledBySelf: [], disabledByOthers: ['say'] },
    ]
    await door.store.put(playerStates, playerId, after)
    const actor = { email: 'admin@example.com', via: 'command', requestId: 'r' } as const
    const switched = createAuditEntry(door.deps, actor, { action: 'player.disable-command', target: email, before, after })
    await door.deps.audit.append([switched])
    const { commit } = door.store
    Object.assign(door.store, {
      commit: async (writes: Parameters<typeof commit>[0]) => {
        Object.assign(door.store, { commit })
        await door.store.put(playerStates, playerId, { ...after, disabledByOthers: ['say', 'who'] })
        return commit(writes)
      },
    })
    expect(slugOf(await undo(door, switched.id))).toBe('changed-since')
    const { entries } = await door.deps.audit.listEntries({ limit: 50 })
    expect(entries.filter(({ action }) => action === 'player.enable-command')).toEqual([])
  })

  it('succeeds for one of two concurrent requests', async () => {
    const door = await open({ as: 'admin' })
    await door.put(account, { displayName: 'One' })
    const { id } = await lastEntry(door, 'account.update')
    const answers = await Promise.all(Array.from({ length: 10 }, () => undo(door, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect((await door.get(account)).body.displayName).toBe('player')
  })

  it('restores a deleted account with its password and id, and keeps its tokens revoked', async () => {
    const server = { auth: { local: { requirePassword: true } } }
    const door = await open({ as: 'admin', configs: { server } })
    const theirs = { authorization: `Bearer ${await door.issueToken('player')}` }
    const { playerId } = (await door.get(account)).body
    expect((await door.del(account)).status).toBe(204)
    const entry = await lastEntry(door, 'account.delete')
    expect(JSON.stringify(await door.get('/api/admin/audit?limit=200'))).not.toContain('$2')
    expect(await undo(door, entry.id)).toMatchObject({ status: 200, body: { restored: { email, playerId, hasPassword: true } } })
    expect(await door.post('/auth/login', { email, password: fixturePassword })).toMatchObject({
      status: 200,
      body: { playerId },
    })
    expect((await door.get('/auth/me', theirs)).status).toBe(401)
    expect((await undo(door, entry.id)).status).toBe(409)
  })

  it('of a deleted account is refused after 30 days, and when the email is taken', async () => {
    const door = await open({ as: 'admin' })
    await door.del(account)
    const entry = await lastEntry(door, 'account.delete')
    await door.post('/api/admin/users', { email, password: 'another password' })
    expect(slugOf(await undo(door, entry.id))).toBe('changed-since')
    await door.del(account)
    door.clock.advance(31 * 86_400_000)
    const fresh = { authorization: `Bearer ${await door.issueToken('admin')}` }
    const refused = await door.post(`/api/admin/audit/${entry.id}/undo`, undefined, fresh)
    expect([refused.status, slugOf(refused)]).toEqual([422, 'not-undoable'])
    const preview = await door.post(`/api/admin/audit/${entry.id}/undo?dryRun=true`, undefined, fresh)
    expect([preview.status, slugOf(preview)]).toEqual([422, 'not-undoable'])
  })

  it('revokes a created grant, and restores a revoked one', async () => {
    const door = await open({ as: 'admin' })
    const { body: grant } = await door.post(`${account}/grants`, { permission: 'zone.build', reason: 'until Sunday' })
    const given = await lastEntry(door, 'account.update')
    expect((await undo(door, given.id)).body.restored).not.toHaveProperty('grants')
    const taken = await lastEntry(door, 'account.update')
    expect(taken.undoes).toBe(given.id)
    expect((await undo(door, taken.id)).body.restored.grants).toEqual([grant])
  })

  it('of a new account deletes it', async () => {
    const door = await open({ as: 'admin' })
    await door.post('/api/admin/users', { email: 'ann@example.com', password: 'correct horse battery' })
    const { id } = await lastEntry(door, 'account.create')
    expect((await undo(door, id)).body.restored).toBeNull()
    expect((await door.get('/api/admin/users/ann@example.com')).status).toBe(404)
  })

  it('refuses to undo a password, a new world and a reload, with the reason', async () => {
    const door = await open({ as: 'admin' })
    await door.put(account, { password: 'another password' })
    await door.post('/api/admin/worlds', { name: 'arena' })
    for (const action of ['account.update', 'world.create']) {
      const refused = await undo(door, (await lastEntry(door, action)).id)
      expect([refused.status, slugOf(refused)]).toEqual([422, 'not-undoable'])
      expect(refused.body.detail.length).toBeGreaterThan(20)
    }
  })

  it('needs the permission of the write, and has the same limits', async () => {
    const door = await open({ as: 'admin' })
    await door.put(account, { displayName: 'One' })
    const { id } = await lastEntry(door, 'account.update')
    const player = { authorization: `Bearer ${await door.issueToken('player')}` }
    const refused = await door.post(`/api/admin/audit/${id}/undo`, undefined, player)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('admin.users.write')])
    const unverified = { authorization: `Bearer ${await door.issueToken('unverified-admin')}` }
    expect(slugOf(await door.post(`/api/admin/audit/${id}/undo`, undefined, unverified))).toBe('password-sign-in-needed')
    expect((await door.post(`/api/admin/audit/${id}/undo`, undefined, { authorization: '' })).status).toBe(401)
  })

  it.each(['nothing', '%20', 'x'.repeat(129), '..%2f..', '%F0%9F%98%80'])('answers %j with a clear refusal', async (id) => {
    const door = await open({ as: 'admin' })
    const { status } = await door.post(`/api/admin/audit/${id}/undo`)
    expect([400, 404]).toContain(status)
  })

  it('restores the text of a saved config with its comments, by the checks of every save', async () => {
    const door = await open({ as: 'admin' })
    const path = '/api/admin/configs/groups.yaml'
    const yaml = { 'content-type': 'application/yaml' }
    const save = (rawBody: string) => door.request('PUT', path, { rawBody, headers: yaml })
    const first = '# who may do what\ngroups:\n- name: player # everybody\n  permissions: [world.build]\n'
    expect((await save(first)).status).toBe(200)
    door.clock.advance(1)
    expect((await save(first.replace('world.build', 'command.who'))).status).toBe(200)
    const { id } = await lastEntry(door, 'config.save')
    const undone = await undo(door, id)
    expect(undone).toMatchObject({ status: 200, body: { entry: { undoes: id, action: 'config.save' } } })
    expect((await door.get(path)).text).toBe(first)
    expect(slugOf(await undo(door, id))).toBe('changed-since')
  })

  it('restores a hand-edited config with a byte order mark', async () => {
    const door = await open({ as: 'admin' })
    const text = '# by hand\ngroups: [{ name: player, permissions: [world.build] }]\n'
    const path = '/api/admin/configs/groups.yaml'
    await door.configFiles.write('groups.yaml', `\uFEFF${text}`, { savedBy: 'x' })
    const headers = { 'content-type': 'application/yaml' }
    const rawBody = text.replace('world.build', 'command.who')
    expect((await door.request('PUT', path, { rawBody, headers })).status).toBe(200)
    const { id } = await lastEntry(door, 'config.save')
    expect(await undo(door, id)).toMatchObject({ status: 200 })
    expect((await door.configFiles.read('groups.yaml')).text).toBe(`\uFEFF${text}`)
  })

  it('ends a created sanction, and restores an ended one', async () => {
    const door = await open({ as: 'admin' })
    const made = await door.post('/api/admin/sanctions', { kind: 'mute', email, reason: 'shouting' })
    const created = await lastEntry(door, 'sanction.create')
    expect((await undo(door, created.id)).body.restored).toMatchObject({ id: made.body.id, endedBy: 'admin@example.com' })
    const ended = await lastEntry(door, 'sanction.end')
    expect(ended.undoes).toBe(created.id)
    expect((await undo(door, ended.id)).body.restored.endedAt).toBeUndefined()
    expect((await door.get('/api/admin/sanctions?active=true')).body.sanctions).toHaveLength(1)
  })

  it('is refused for an expired sanction, and for one that is ended at the same moment', async () => {
    const door = await open({ as: 'admin' })
    const until = new Date(door.clock.now() + 10_000).toISOString()
    await door.post('/api/admin/sanctions', { kind: 'mute', email, reason: 'shouting', until })
    const over = await lastEntry(door, 'sanction.create')
    door.clock.advance(20_000)
    expect([(await undo(door, over.id)).status, slugOf(await undo(door, over.id))]).toEqual([422, 'not-undoable'])

    await door.post('/api/admin/sanctions', { kind: 'mute', email, reason: 'shouting' })
    const { id } = await lastEntry(door, 'sanction.create')
    const actorOf = (requestId: string) => ({ ...operator, requestId })
    const both = await Promise.allSettled(['one', 'two'].map((who) => door.deps.undo.undo(actorOf(who), id)))
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toEqual([expect.objectContaining({ slug: 'changed-since' })])
  })

  it('restores the spawn before /setspawn, and is refused when it moved since', async () => {
    const door = await open({ as: 'admin' })
    const { worlds } = door.deps
    await worlds.ensureActive()
    const [market, harbour] = [
      { x: 3, y: 70, z: -5, yaw: 90 },
      { x: 40, y: 64, z: 8, yaw: 0 },
    ]
    await worlds.setSpawn('default', market, { ...operator, requestId: 'first' })
    const first = await lastEntry(door, 'world.spawn')
    await worlds.setSpawn('default', harbour, { ...operator, requestId: 'second' })
    const second = await lastEntry(door, 'world.spawn')
    expect(slugOf(await undo(door, first.id))).toBe('changed-since')
    expect((await undo(door, second.id, '?dryRun=true')).body).toEqual({ would: market })
    const undone = await undo(door, second.id)
    expect(undone).toMatchObject({ status: 200, body: { entry: { undoes: second.id }, restored: market } })
    expect((await worlds.getWorld()).spawn).toEqual(market)
    // The world had no spawn of its own before the first change.
    expect((await undo(door, first.id)).body.restored).toBeNull()
    expect((await worlds.getWorld()).spawn).toBeUndefined()
  })

  it('restores no ban that applies to the address of the caller', async () => {
    const door = await open({ as: 'admin', configs: { server: { http: { trustedProxies: 1 } } } })
    const [there, here] = [{ 'x-forwarded-for': '198.51.100.9' }, { 'x-forwarded-for': '203.0.113.7' }]
    const ban = { kind: 'ban', address: '203.0.113.0/24', reason: 'a wave of spam' }
    const made = await door.post('/api/admin/sanctions', ban, there)
    expect((await door.del(`/api/admin/sanctions/${made.body.id}`, there)).status).toBe(200)
    const { id } = await lastEntry({ get: (path) => door.get(path, there), clock: door.clock }, 'sanction.end')
    expect(slugOf(await door.post(`/api/admin/audit/${id}/undo`, undefined, here))).toBe('not-oneself')
    expect((await door.get('/auth/me', here)).status).toBe(200)
  })

  it('restores no group that is gone, and of an earlier deletion no data of a later one', async () => {
    const door = await open({ as: 'admin' })
    await door.accountStore.change(email, (found) => ({
      next: found && { ...found, groups: ['player', 'gone'] },
      result: undefined,
    }))
    await door.put(account, { groups: ['player'] })
    expect(slugOf(await undo(door, (await lastEntry(door, 'account.update')).id))).toBe('unknown-group')

    await door.del(account)
    const first = await lastEntry(door, 'account.delete')
    expect((await undo(door, first.id)).status).toBe(200)
    await door.put(account, { groups: ['clerk'] })
    await door.del(account)
    const second = await lastEntry(door, 'account.delete')
    for (const query of ['?dryRun=true', '']) expect(slugOf(await undo(door, first.id, query))).toBe('not-undoable')
    expect((await undo(door, second.id)).body.restored).toMatchObject({ groups: ['clerk'] })
  })
})

describe.each(doors)('undo of zones through %s', (_name, open) => {
  it('restores changed, created and deleted zones, with their id and columns', async () => {
    const door = await openZoneDoor(open, { routes: allRoutes })
    const { body: zone } = await door.post(zonesPath, newZone)
    const at = `${zonesPath}/${zone.id}`
    const changes = [
      ['', { name: 'Other' }],
      ['/bounds', { yMin: 1, yMax: 2 }],
      ['/enabled', { enabled: false }],
      ['/chunks', { chunks: [{ cx: 1, cz: 0 }] }],
    ] as const
    for (const [part, body] of changes) {
      door.clock.advance(1)
      expect((await door.put(at + part, body)).status).toBe(200)
      const entry = await lastEntry(door, 'zone.update')
      expect((await undo(door, entry.id)).status).toBe(200)
      const { updatedAt: _, ...now } = (await door.get(at)).body
      const { updatedAt: __, ...was } = zone
      expect(now).toEqual(was)
    }
    const before = (await door.get(at)).body
    expect((await door.del(at)).status).toBe(204)
    const deleted = await lastEntry(door, 'zone.delete')
    expect((await undo(door, deleted.id)).body.restored).toEqual(before)
    door.clock.advance(1)
    expect((await door.get(at)).body).toEqual(before)
    const restored = await lastEntry(door, 'zone.create')
    expect((await undo(door, restored.id)).body.restored).toBeNull()
    expect((await door.get(at)).status).toBe(404)
  })

  it('restores an expired temporary zone without its end', async () => {
    const door = await openZoneDoor(open, { routes: allRoutes })
    const { body: zone } = await door.post(zonesPath, newZone)
    const at = `${zonesPath}/${zone.id}`
    const expiresAt = new Date(door.clock.now() + 600_000).toISOString()
    expect((await door.put(`${at}/schedule`, { expiresAt })).status).toBe(200)
    expect((await door.del(at)).status).toBe(204)
    const { id } = await lastEntry(door, 'zone.delete')
    door.clock.advance(900_000)
    const fresh = { authorization: `Bearer ${await door.issueToken('admin')}` }
    const undone = await door.post(`/api/admin/audit/${id}/undo`, undefined, fresh)
    expect(undone.body.restored).toMatchObject({ id: zone.id })
    expect(undone.body.restored.expiresAt).toBeUndefined()
  })

  it('restores rules, members and hours, also to none, and is refused when one was added since', async () => {
    const door = await openZoneDoor(open, { routes: allRoutes })
    const { body: zone } = await door.post(zonesPath, newZone)
    const at = `${zonesPath}/${zone.id}`
    const put = async (part: string, body: unknown) => {
      door.clock.advance(1)
      expect([part, (await door.put(part === '' ? at : `${at}/${part}`, body)).status]).toEqual([part, 200])
      return (await lastEntry(door, 'zone.update')).id
    }
    const ids = [await door.addAccount('ann'), await door.addAccount('bob'), await door.addAccount('cid')]
    const [members, others] = [ids.slice(0, 2).sort(), ids.slice(2)]
    const [first = '', second = ''] = ids
    const rules = { build: 'members', enter: 'members', greeting: 'Welcome.' }
    const opensAt = '2030-01-01T00:00:00.000Z'
    const expiresAt = '2031-01-01T00:00:00.000Z'
    const steps = [
      ['rules', rules, { build: 'nobody', enter: 'everyone' }],
      ['members', members, others],
      ['', { name: 'Ann’s', owner: first }, { owner: second }],
      ['schedule', { opensAt, expiresAt }, { expiresAt }],
    ] as const
    for (const [part, first, second] of steps) {
      const entryOfFirst = await put(part, first)
      const was = (await door.get(at)).body
      const restored = await undo(door, await put(part, second))
      expect([part, restored.status]).toEqual([part, 200])
      const { updatedAt: _, ...now } = (await door.get(at)).body
      const { updatedAt: __, ...before } = was
      expect(now).toEqual(before)
      // The fields are as the first write left them, so it can be undone too.
      expect((await undo(door, entryOfFirst)).status).toBe(200)
      await put(part, first)
    }
    const { id } = await lastEntry(door, 'zone.update')
    await put('schedule', { expiresAt, closesAt: expiresAt })
    expect(slugOf(await undo(door, id))).toBe('changed-since')
  })

  it('restores a zone without rules, members and hours to a zone open to everyone', async () => {
    const door = await openZoneDoor(open, { routes: allRoutes })
    const { body: zone } = await door.post(zonesPath, newZone)
    const at = `${zonesPath}/${zone.id}`
    const ann = await door.addAccount('ann')
    const firsts = [
      ['rules', { build: 'nobody', enter: 'members' }],
      ['members', [ann]],
      ['schedule', { expiresAt: '2031-01-01T00:00:00.000Z' }],
    ] as const
    for (const [part, body] of firsts) {
      door.clock.advance(1)
      expect((await door.put(`${at}/${part}`, body)).status).toBe(200)
      expect((await undo(door, (await lastEntry(door, 'zone.update')).id)).status).toBe(200)
    }
    const { rules, members, opensAt, closesAt, expiresAt } = (await door.get(at)).body
    expect({ rules, members, hours: [opensAt, closesAt, expiresAt] }).toEqual({
      rules: { build: 'permission', enter: 'everyone' },
      members: [],
      hours: [undefined, undefined, undefined],
    })
  })

  it('restores hundreds of columns, of which the list shows only the count', async () => {
    const door = await openZoneDoor(open, { routes: allRoutes })
    const chunks = squareOf(-12, -12, 24)
    await generateColumns(door, chunks)
    const { zone, path: at } = await door.addZone({ chunks })
    expect((await door.del(at)).status).toBe(204)
    const listed = await lastEntry(door, 'zone.delete')
    expect(listed).toMatchObject({ before: { ...zone, chunks: { cut: expect.any(Number) } }, cut: expect.any(Number) })
    expect((await door.get(`/api/admin/audit/${listed.id}`)).body.before).toEqual(zone)
    expect((await undo(door, listed.id)).body.restored).toEqual(zone)
    expect((await door.get(at)).body).toEqual(zone)
  })

  it('is refused when another zone took the columns since', async () => {
    const door = await openZoneDoor(open, { routes: allRoutes })
    const { body: zone } = await door.post(zonesPath, newZone)
    await door.del(`${zonesPath}/${zone.id}`)
    const { id } = await lastEntry(door, 'zone.delete')
    expect((await door.post(zonesPath, { ...newZone, name: 'Usurper' })).status).toBe(201)
    expect(slugOf(await undo(door, id))).toBe('zone-overlap')
    expect((await door.get(`${zonesPath}/${zone.id}`)).status).toBe(404)
  })

  it('answers 503 without the audit log, and undoes nothing', async () => {
    const door = await open({ as: 'admin' })
    const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'The store is away.'))
    const closed = await open({ as: 'admin', deps: { undo: { ...door.deps.undo, permissionOf: away } } })
    expect((await undo(closed, 'anything')).status).toBe(503)
  })
})
