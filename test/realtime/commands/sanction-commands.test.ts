import { describe, expect, it } from '@jest/globals'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { operator } from '../../support/accounts/account-fixture.ts'
import { createCommandFixture } from './command-fixture.ts'

const createScene = async () => {
  const fixture = createCommandFixture()
  const mod = await fixture.addAccount('mod@example.org', { groups: ['moderator'], displayName: 'Mo' })
  const boss = await fixture.addAccount('boss@example.org', { groups: ['admin'], password: 'a long password' })
  const ann = await fixture.addAccount('ann@example.org', { displayName: 'Ann B.' })
  fixture.join(mod)
  return { ...fixture, mod, boss, ann, inForce: fixture.deps.activeSanctions }
}

describe('/mute and /unmute', () => {
  it('block the commands that speak, with the reason and the end, and allow them again', async () => {
    const { run, mod, ann, done } = await createScene()
    expect(await run(mod, '/mute "ann b." 10m caps lock')).toMatchObject({
      ok: true,
      text: 'Ann B. is muted for 10 minutes: caps lock',
    })
    const refused = await run(ann, '/say hello')
    expect(refused).toMatchObject({ ok: false, data: { code: 'muted', reason: 'caps lock', until: '2026-01-01T00:10:00.000Z' } })
    expect(await run(ann, '/who')).toMatchObject({ ok: true })
    expect(await run(mod, '/unmute ann@example.org')).toMatchObject({ ok: true })
    expect(await run(ann, '/say hello')).toMatchObject({ ok: true })
    expect(await run(mod, '/unmute ann@example.org')).toMatchObject({ ok: true, text: 'Ann B. is not muted.' })
    expect(done).toEqual([['say', 'Ann B.', 'hello']])
  })
})

describe('/ban and /unban', () => {
  it('accept a limited time from a moderator, and no end with the permission for it', async () => {
    const { run, mod, boss, inForce } = await createScene()
    expect(await run(mod, '/ban ann@example.org griefing')).toMatchObject({ ok: false, data: { slug: 'missing-permission' } })
    expect(await run(mod, '/ban ann@example.org 2h griefing')).toMatchObject({ ok: true })
    expect(await run(boss, '/ban ann@example.org griefing')).toMatchObject({
      ok: true,
      text: 'Ann B. is banned permanently: griefing',
    })
    expect(inForce.findBan('ann@example.org')).toMatchObject({ by: 'boss@example.org' })
    expect(await run(boss, '/unban ann@example.org')).toMatchObject({ ok: true })
    expect(inForce.findBan('ann@example.org')).toBeUndefined()
  })

  it('accept an address or a CIDR instead of a player', async () => {
    const { run, boss, inForce } = await createScene()
    expect(await run(boss, '/ban 192.0.2.9/24 7d spam')).toMatchObject({
      ok: true,
      text: expect.stringContaining('192.0.2.0/24'),
    })
    expect(inForce.findAddressBan('192.0.2.200')).toBeDefined()
    expect((await run(boss, '/unban 192.0.2.200')).text).toContain('It is in the banned range 192.0.2.0/24')
    expect(await run(boss, '/unban 192.0.2.0/24')).toMatchObject({ ok: true, data: { ids: [expect.any(String)] } })
    expect(inForce.findAddressBan('192.0.2.200')).toBeUndefined()
    expect(await run(boss, '/ban 0.0.0.0/0 spam')).toMatchObject({ ok: false, data: { slug: 'rule-broken' } })
  })

  it.each(['0s', '-1d', '1e9w', 'never', '99999999w', '1.5h', '10m'])('do not accept "%s" as a reason', async (duration) => {
    const { run, boss, inForce } = await createScene()
    const line = duration === '10m' ? '/ban ann@example.org 10m' : `/ban ann@example.org ${duration} griefing`
    const refused = await run(boss, line)
    expect(refused).toMatchObject({ ok: false, data: { slug: 'bad-request' } })
    expect(refused.text).toContain('90s, 10m, 2h, 7d or 4w')
    expect(inForce.list()).toEqual([])
  })

  it('block an email without an account', async () => {
    const { run, mod, inForce } = await createScene()
    const reply = await run(mod, '/ban Ghost@example.org 1h alt account')
    expect(reply.text).toMatch(/^ghost@example.org is banned for 60 minutes: alt account No account has that email now/)
    expect(inForce.findBan('ghost@example.org')).toMatchObject({ reason: 'alt account' })
    expect(await run(mod, '/unban ghost@example.org')).toMatchObject({ ok: true, data: { ids: [expect.any(String)] } })
  })

  it('find a deleted account by its playerId, its email and its name, and block its email', async () => {
    const { run, boss, ann, inForce, accounts } = await createScene()
    await accounts.removeAccount(operator, ann.email)
    for (const named of [ann.playerId.toUpperCase(), 'ANN@example.org', '"Ann B."']) {
      const reply = await run(boss, `/ban ${named} 1h griefing`)
      expect(reply).toMatchObject({ ok: true, text: expect.stringMatching(/^Ann B\. \(deleted\) is banned for 60 minutes/) })
      expect(inForce.findBan(ann.email)).toBeDefined()
      expect(await run(boss, `/unban ${named}`)).toMatchObject({ ok: true, text: expect.stringContaining('Ann B. (deleted)') })
      expect(inForce.findBan(ann.email)).toBeUndefined()
    }
    await run(boss, `/ban ${ann.playerId} 1h griefing`)
    await accounts.createAccount(operator, { email: ann.email, password: 'a long password' })
    expect(inForce.findBan(ann.email)).toMatchObject({ reason: 'griefing' })
  })

  it('refuse the caller, the last administrator, and players with more permissions', async () => {
    const { run, mod, boss, inForce } = await createScene()
    expect(await run(boss, '/ban boss@example.org 1h oops')).toMatchObject({ ok: false, data: { slug: 'not-oneself' } })
    expect(await run(mod, '/ban boss@example.org 1h coup')).toMatchObject({ ok: false, data: { slug: 'beyond-own-permissions' } })
    expect(await run(mod, '/ban nobody 1h x')).toMatchObject({ ok: false, data: { slug: 'not-found' } })
    expect(await run(mod, `/ban ${systemIds.uuid()} 1h x`)).toMatchObject({ ok: false, data: { slug: 'not-found' } })
    expect(inForce.list()).toEqual([])
  })
})

describe('/warn and /sanctions', () => {
  it('list active sanctions, and all sanctions of a player, newest first', async () => {
    const { run, mod, boss, inForce, clock } = await createScene()
    expect(await run(mod, '/sanctions')).toMatchObject({ ok: true, text: 'There are no active sanctions.' })
    expect(await run(mod, '/sanctions ann@example.org')).toMatchObject({ text: 'Ann B. has no sanctions.' })
    await run(mod, '/warn ann@example.org no caps please')
    expect(inForce.listWarnings('ann@example.org')).toMatchObject([{ reason: 'no caps please', by: 'mod@example.org' }])
    await run(mod, '/mute ann@example.org 1h again')
    await run(boss, '/unmute ann@example.org')
    const { text } = await run(mod, '/sanctions "Ann B."')
    const [mute, warning] = text.split('\n')
    expect(mute).toMatch(/^less than a minute ago: mute of ann@example.org by mod@example.org, ended by boss@example.org: again$/)
    expect(warning).toMatch(/warning of ann@example.org by mod@example.org, not seen yet: no caps please$/)
    expect((await run(mod, '/sanctions')).text.split('\n')).toHaveLength(1)
    clock.advance(2 * 3_600_000)
    await run(mod, '/mute ann@example.org 3d shouting')
    clock.advance(5 * 60_000)
    expect((await run(mod, '/sanctions')).text).toMatch(
      /^5 minutes ago: mute of \S+ by \S+, ends in 3 days: shouting\n2 hours ago: /,
    )
  })
})

describe('/report', () => {
  const lastChat = [{ channel: 'global', from: 'Mo', text: 'hello' }]

  it('reports a player who has left the game', async () => {
    const { run, ann, join, deps, addAccount } = await createScene()
    join(ann)
    await addAccount('gone@example.org', { displayName: 'Gone' })
    expect(await run(ann, '/report gone broke my house')).toMatchObject({ ok: true })
    expect((await deps.reports.listReports({ limit: 9 })).reports).toMatchObject([
      { about: 'gone@example.org', text: 'broke my house' },
    ])
  })

  it('reports a named player with the last chat and the place, and treats any other word as text', async () => {
    const { run, ann, join, deps } = await createScene()
    join(ann)
    expect(await run(ann, '/report Mo shouts all the time')).toMatchObject({ ok: true })
    expect(await run(ann, '/report somebody broke my house')).toMatchObject({ ok: true })
    expect(await run(ann, '/report help!')).toMatchObject({ ok: true })
    const place = { world: expect.any(String), x: 1, y: 64, z: -3 }
    const by = 'ann@example.org'
    expect((await deps.reports.listReports({ limit: 9 })).reports).toMatchObject([
      { by, text: 'help!', place, lastChat },
      { by, text: 'somebody broke my house', place, lastChat },
      { by, about: 'mod@example.org', text: 'shouts all the time', place, lastChat },
    ])
    expect(await run(ann, '/report a fourth')).toMatchObject({ ok: false, data: { slug: 'too-many-requests' } })
  })
})

describe('targets of sanctions', () => {
  it('includes an old display name that is not a valid email', async () => {
    const { run, mod, ann, accountStore, inForce } = await createScene()
    await accountStore.change(ann.email, (account) => ({
      next: account && { ...account, displayName: '@home' },
      result: undefined,
    }))
    expect(await run(mod, '/mute "@home" 10m shouting')).toMatchObject({ ok: true })
    expect(inForce.findMute(ann.email)).toBeDefined()
    expect(await run(mod, '/mute "@nobody" 10m shouting')).toMatchObject({ ok: false })
  })

  it('finds the exact match among a thousand emails that contain the text', async () => {
    const { run, mod, ann, accountStore, inForce } = await createScene()
    await accountStore.change(ann.email, (account) => ({
      next: account && { ...account, displayName: 'com' },
      result: undefined,
    }))
    for (let n = 0; n < 1_001; n += 1) {
      const email = `a${n}@example.com`
      const account = { ...ann, email, playerId: systemIds.uuid(), displayName: `Other ${n}` }
      await accountStore.change(email, () => ({ next: account, result: undefined }))
    }
    expect(await run(mod, '/mute com 10m shouting')).toMatchObject({ ok: true })
    expect(inForce.findMute(ann.email)).toBeDefined()
  })

  it('include the /64 of an IPv6 address, and /unban matches any address in it', async () => {
    const { run, boss, inForce } = await createScene()
    expect((await run(boss, '/ban 2001:db8:1:2::5 7d spam')).text).toMatch(/^2001:db8:1:2::\/64 is banned for 7 days: spam$/)
    expect(inForce.findAddressBan('2001:db8:1:2:ffff::7')).toBeDefined()
    expect(inForce.findAddressBan('2001:db8:1:3::7')).toBeUndefined()
    expect((await run(boss, '/sanctions')).text).toContain('2001:db8:1:2::/64')
    expect(await run(boss, '/unban 2001:db8:1:2::9')).toMatchObject({ ok: true })
    expect(inForce.findAddressBan('2001:db8:1:2::5')).toBeUndefined()
  })
})
