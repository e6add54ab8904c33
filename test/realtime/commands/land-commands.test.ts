import { expect, it } from '@jest/globals'
import { operator } from '../../support/accounts/account-fixture.ts'
import { madeChange, openTestHistory } from '../../support/history/made-changes.ts'
import { createStoredZones } from '../../support/zones/stored-zones.ts'
import { createCommandFixture } from './command-fixture.ts'

/** Ann may use all commands. Bob broke two blocks near her, one of which she fixed, and one far away. */
const createScene = async () => {
  const fixture = createCommandFixture()
  fixture.permissions.replace({ groups: [{ name: 'all', permissions: ['*'] }], defaultGroups: [] })
  const ann = await fixture.addAccount('ann@example.org', { groups: ['all'], displayName: 'Ann' })
  const bob = await fixture.addAccount('bob@example.org', { displayName: 'Bob' })
  fixture.join(ann)
  const history = await openTestHistory(fixture.world.chunks, fixture.world.record)
  const broken = (x: number) => madeChange({ x, y: 63, z: -3, by: bob.playerId, from: 'stone', to: 'air' })
  await history.keep(broken(1), broken(2), broken(500))
  await history.keep(madeChange({ x: 2, y: 63, z: -3, by: ann.playerId, from: 'air', to: 'glass' }))
  fixture.clock.advance(300_000)
  const say = (line: string) => fixture.run(ann, line)
  const listJobs = async () => (await fixture.jobs.listJobs({ limit: 5 })).jobs
  return { ...fixture, ann, bob, say, listJobs }
}

it('/inspect names the last player to change the block underfoot, or the block at a position', async () => {
  const { say, bob } = await createScene()
  const here = await say('/inspect')
  expect(here).toMatchObject({
    ok: true,
    data: { x: 1, y: 63, z: -3, changes: [{ by: bob.playerId, from: 'stone', to: 'air' }] },
  })
  expect(here.text).toMatch(/^1 63 -3, newest first:\n\S+ \S+ {2}Bob: stone to air \(game\)$/)
  expect((await say('/inspect 2 63 -3')).text).toMatch(/Ann: air to glass[\s\S]+Bob: stone to air/)
  expect((await say('/inspect ~1 ~-1 ~')).data).toMatchObject({ x: 2, y: 63, z: -3 })
  expect((await say('/inspect 9 9 9')).text).toBe('No changes of 9 9 9 are recorded.')
})

it('/rollback and /inspect accept a player with a deleted account, and any playerId', async () => {
  const { say, bob, accounts } = await createScene()
  await accounts.removeAccount(operator, bob.email)
  expect((await say('/inspect')).text).toMatch(/Bob \(deleted\): stone to air/)
  for (const named of [bob.playerId, bob.email, 'bob']) {
    const counted = await say(`/rollback ${named} 1h`)
    expect(counted).toMatchObject({ ok: true, data: { counts: { blocks: 2 } } })
    expect(counted.text).toMatch(/^Bob \(deleted\) made 2 changes/)
    const near = await say(`/inspect ${named}`)
    expect(near.text).toMatch(/^Bob \(deleted\), within 32 blocks of you, newest first:\n.*stone to air \(game, at/)
    expect(near.data).toMatchObject({ changes: [{ x: 2 }, { x: 1 }] })
  }
  const unknown = 'ABCDEF01-2345-4789-8abc-def012345678'
  expect((await say(`/rollback ${unknown} 1h`)).text).toMatch(/^abcdef01-2345-4789-8abc-def012345678/)
  expect((await say('/inspect nobody')).ok).toBe(false)
})

it('/rollback module:NAME counts the changes of a module, and starts a job for them', async () => {
  const { say, world, listJobs } = await createScene()
  const history = await openTestHistory(world.chunks, world.record)
  await history.keep(madeChange({ x: 5, z: -3, by: '', via: 'module', module: 'shop' }))
  const counted = await say('/rollback module:shop 1h')
  expect(counted).toMatchObject({ ok: true, data: { counts: { blocks: 1 } } })
  expect(counted.text).toMatch(/^The module shop made 1 changes/)
  expect((await say('/rollback confirm')).ok).toBe(true)
  expect(await listJobs()).toMatchObject([{ kind: 'rollback' }])
  expect((await say('/inspect 5 64 -3')).text).toContain('shop')
  expect((await say('/rollback module:other 1h')).text).toContain('has no changes')
})

it('/rollback counts first, and undoes the changes once after a confirmation within a minute', async () => {
  const { say, bob, listJobs } = await createScene()
  const counted = await say('/rollback bob@example.org 1h 20')
  expect(counted).toMatchObject({ ok: true, data: { counts: { changes: 1, blocks: 1, columns: 1, skipped: 1 } } })
  expect(await listJobs()).toEqual([])
  expect(await say('/rollback confirm')).toMatchObject({ ok: true, data: { job: { kind: 'rollback', state: 'queued' } } })
  expect(await listJobs()).toMatchObject([{ kind: 'rollback' }])
  expect((await say('/rollback confirm')).ok).toBe(false)
  expect(await say('/rollback status')).toMatchObject({ ok: true, data: { job: { state: 'queued' } } })
  expect(await say('/rollback cancel')).toMatchObject({ ok: true, text: expect.stringContaining('is being cancelled') })
  expect(await say('/rollback status')).toMatchObject({ data: { job: { state: 'cancelled' } } })
  expect((await say(`/rollback ${bob.playerId} 1h`)).data).toMatchObject({ counts: { blocks: 2, skipped: 1 } })
})

it('/rollback confirm refuses a count that is expired, made by another player, or empty', async () => {
  const { say, clock, addAccount, run } = await createScene()
  await say('/rollback bob@example.org 1h')
  clock.advance(60_001)
  expect((await say('/rollback confirm')).ok).toBe(false)
  await say('/rollback bob@example.org 1h')
  const cid = await addAccount('cid@example.org', { groups: ['all'] })
  expect((await run(cid, '/rollback confirm')).ok).toBe(false)
  expect(await say('/rollback cid@example.org 1h')).toMatchObject({
    ok: true,
    text: expect.stringMatching(/^cid has no changes to roll back/),
  })
})

it('/undo reverts the last edits of the caller, and no edits of others', async () => {
  const { say, ann, done } = await createScene()
  expect(await say('/undo 5')).toMatchObject({ ok: true, data: { blocks: 1, refused: 0 } })
  const plan = [{ x: 2, y: 63, z: -3, expected: 'glass', restored: 'air' }]
  expect(done).toEqual([['undo', ann.playerId, plan]])
})

it('/undo skips blocks that the caller may no longer change, and says so', async () => {
  const { say, done, closed } = await createScene()
  closed.add('2 63 -3')
  expect(await say('/undo')).toEqual({
    ok: true,
    text: '0 blocks are restored; you may no longer change 1 block.',
    data: { blocks: 0, refused: 1 },
  })
  expect(done).toEqual([['undo', expect.anything(), []]])
})

it.each([
  ['/undo 0', /1 to 256/],
  ['/undo 1.5', /1 to 256/],
  ['/undo 257', /1 to 256/],
  ['/rollback bob@example.org', /a duration/],
  ['/rollback bob@example.org 1h 0', /radius/],
  ['/rollback bob@example.org 1h 1e9', /radius|number/],
  ['/rollback nobody@example.org 1h', /no account/],
  ['/rollback bob@example.org never', /duration/],
  ['/inspect 1 2', /missing|too/],
])('%s is refused with the reason', async (line, reason) => {
  const { say } = await createScene()
  expect(await say(line)).toMatchObject({ ok: false, text: expect.stringMatching(reason) })
})

it('/inspect needs a position from a caller outside the game', async () => {
  const { run, addAccount } = await createScene()
  const away = await addAccount('away@example.org', { groups: ['all'] })
  expect((await run(away, '/inspect')).ok).toBe(false)
  expect((await run(away, '/inspect 1 63 -3')).ok).toBe(true)
})

it('/rollback confirm refuses a zone whose bounds have changed since the count', async () => {
  const { say, permissions, addZone, takeZones, ann, store, bob, listJobs } = await createScene()
  permissions.replace({ groups: [{ name: 'all', permissions: ['zone.history'] }], defaultGroups: [] })
  const town = await addZone({ name: 'Town', chunks: [{ cx: 0, cz: -1 }], yMin: 60, yMax: 70, owner: ann.playerId })
  expect((await say(`/rollback ${bob.playerId} 1h`)).data).toMatchObject({ counts: { blocks: 1 } })
  await createStoredZones(store).put({ ...town, yMin: 64 })
  await takeZones()
  expect(await say('/rollback confirm')).toMatchObject({
    ok: false,
    text: expect.stringContaining('bounds of the zone have changed'),
  })
  expect(await listJobs()).toEqual([])
  expect((await say(`/rollback ${bob.playerId} 1h`)).data).toMatchObject({ counts: { blocks: 0 } })
})

it('/rollback confirm refuses a caller who has lost the permission since the count', async () => {
  const { say, permissions, ann, run, accountStore, listJobs } = await createScene()
  permissions.replace({
    groups: [
      { name: 'all', permissions: ['*'] },
      { name: 'neighbour', permissions: ['zone.history'] },
    ],
    defaultGroups: ['neighbour'],
  })
  await say('/rollback bob@example.org 1h')
  expect(await run(ann, '/rollback confirm', false)).toMatchObject({ ok: false })
  await accountStore.change(ann.email, (account) => ({
    next: { ...account, groups: ['neighbour'] } as typeof ann,
    result: undefined,
  }))
  expect(await say('/rollback confirm')).toMatchObject({ ok: false, text: 'You do not have access to /rollback.' })
  expect(await listJobs()).toEqual([])
})

it('limits a caller with the permission in one zone to that zone', async () => {
  const { permissions, addAccount, addZone, run, join, bob, accountStore, clock, listJobs } = await createScene()
  permissions.replace({ groups: [], defaultGroups: [] })
  const cid = await addAccount('cid@example.org')
  join(cid)
  const town = await addZone({ name: 'Town', chunks: [{ cx: 0, cz: -1 }], yMin: 60, yMax: 70 })
  const at = new Date(clock.now()).toISOString()
  const grants = ['command.rollback', 'command.inspect'].map((permission, n) => ({
    id: `00000000-0000-4000-8000-00000000000${n}`,
    permission,
    zone: town.id,
    by: 'operator@example.org',
    at,
  }))
  await accountStore.change(cid.email, (account) => ({ next: { ...account, grants } as typeof cid, result: undefined }))
  expect((await run(cid, `/rollback ${bob.playerId} 1h`)).data).toMatchObject({ counts: { blocks: 1, skipped: 1 } })
  expect(await run(cid, '/rollback confirm')).toMatchObject({ ok: true })
  expect(await listJobs()).toHaveLength(1)
  expect(await run(cid, '/inspect 2 63 -3')).toMatchObject({ ok: true })
  expect(await run(cid, '/inspect 500 63 -3')).toMatchObject({ ok: false, text: 'You do not have access to /inspect.' })
})

it('lets the owner and the members of a zone inspect and roll back inside it only', async () => {
  const { permissions, addAccount, addZone, run, join, bob, listJobs } = await createScene()
  permissions.replace({ groups: [{ name: 'neighbour', permissions: ['zone.history'] }], defaultGroups: [] })
  const members = await Promise.all(
    ['cid', 'dan'].map((name) => addAccount(`${name}@example.org`, { groups: ['neighbour'], displayName: name })),
  )
  const [cid, dan] = members
  if (cid === undefined || dan === undefined) throw new Error('two accounts were asked for')
  join(cid)
  join(dan)
  await addZone({ name: 'Town', chunks: [{ cx: 0, cz: -1 }], yMin: 60, yMax: 70, members: [cid.playerId] })
  expect(await run(cid, '/inspect 2 63 -3', false)).toMatchObject({ ok: true })
  expect(await run(cid, '/inspect 500 63 -3')).toMatchObject({ ok: false, text: 'You do not have access to /inspect.' })
  expect((await run(cid, `/rollback ${bob.playerId} 1h`, false)).data).toMatchObject({ code: 'password-sign-in-needed' })
  expect((await run(cid, `/rollback ${bob.playerId} 1h`)).data).toMatchObject({ counts: { blocks: 1, skipped: 1 } })
  expect((await run(cid, `/rollback ${bob.playerId} 1h 1000`)).data).toMatchObject({ counts: { blocks: 1 } })
  expect(await run(cid, '/rollback confirm')).toMatchObject({ ok: true })
  expect(await listJobs()).toHaveLength(1)
  for (const line of ['/inspect 2 63 -3', `/rollback ${bob.playerId} 1h`])
    expect(await run(dan, line)).toMatchObject({ ok: false, text: expect.stringContaining('You do not have access to /') })
})
