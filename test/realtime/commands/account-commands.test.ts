import { describe, expect, it } from '@jest/globals'
import { createCommandFixture } from './command-fixture.ts'

const createScene = async () => {
  const fixture = createCommandFixture()
  const root = await fixture.addAccount('root@example.org', { groups: ['admin'], password: 'correct horse', displayName: 'Root' })
  const bob = await fixture.addAccount('bob@example.org', { displayName: 'Bob' })
  const groupsOf = async (email: string) => (await fixture.accountStore.findByEmail(email))?.groups
  return { ...fixture, root, bob, groupsOf }
}

describe('/adduser', () => {
  it('adds an account with the default groups, audits it, and shows the password nowhere', async () => {
    const { run, root, accountStore, entries, lines } = await createScene()
    const reply = await run(root, '/adduser New@Example.org "battery staple"')
    expect(reply).toMatchObject({ ok: true, text: 'Added new (new@example.org) with player.' })
    expect(await accountStore.findByEmail('new@example.org')).toMatchObject({
      groups: ['player'],
      passwordHash: expect.any(String),
    })
    expect(entries.at(-1)).toMatchObject({
      actor: 'root@example.org',
      action: 'account.create',
      target: 'new@example.org',
      via: 'command',
      requestId: 'request-1',
    })
    expect(JSON.stringify([reply, entries, lines])).not.toContain('battery')
  })

  it('takes a display name and groups, and a name left out as ""', async () => {
    const { run, root, accountStore } = await createScene()
    await run(root, '/adduser a@example.org long-enough "Ännchen 世界" moderator,player')
    await run(root, '/adduser b@example.org long-enough "" moderator')
    expect(await accountStore.findByEmail('a@example.org')).toMatchObject({
      displayName: 'Ännchen 世界',
      groups: ['moderator', 'player'],
    })
    expect(await accountStore.findByEmail('b@example.org')).toMatchObject({ displayName: 'b', groups: ['moderator'] })
  })

  it('lets a caller with permission to use force give a display name that another account has', async () => {
    const { run, root, accountStore } = await createScene()
    expect(await run(root, '/adduser a@example.org long-enough BOB player force')).toMatchObject({ ok: true })
    expect(await accountStore.findByEmail('a@example.org')).toMatchObject({ displayName: 'BOB' })
  })

  it.each([
    ['/adduser', 'bad-arguments', /<email> is missing/],
    ['/adduser hunter22 x', 'bad-arguments', /<email> must be an email/],
    ['/adduser a@example.org', 'bad-arguments', /<password> is missing/],
    ['/adduser a@example.org long-enough Ann player force extra', 'bad-arguments', /too many/],
    ['/adduser a@example.org long-enough Ann player extra', 'refused', /last argument must be force/],
    ['/adduser a@example.org long-enough BOB', 'refused', /<displayName> is taken/],
    ['/adduser a@example.org long-enough Server player force', 'refused', /reserved/],
    ['/adduser a@example.org long-enough Ann player,', 'bad-arguments', /<groups> must be names/],
    ['/adduser a@example.org short', 'refused', /<password> must be at least 8 bytes/],
    [`/adduser a@example.org ${'x'.repeat(400)}`, 'refused', /<password> must be at most 72 bytes/],
    [`/adduser a@example.org long-enough ${'x'.repeat(400)}`, 'refused', /<displayName> must have 1 to 32 visible characters/],
    ['/adduser a@example.org long-enough Ann nobodies', 'refused', /Unknown group `nobodies`/],
    ['/adduser bob@example.org long-enough', 'refused', /already exists/],
  ])('refuses %s and adds no account', async (text, code, message) => {
    const { run, root, accountStore, entries } = await createScene()
    const before = entries.length
    const reply = await run(root, text)
    expect(reply).toMatchObject({ ok: false, text: expect.stringMatching(message), data: { code } })
    expect(reply.text).not.toContain('hunter22')
    expect(await accountStore.findByEmail('a@example.org')).toBeUndefined()
    expect(entries.length).toBe(before)
  })
})

describe('/rbac:setgroup and /rbac:removegroup', () => {
  it('adds groups to the existing ones, and removes only the named ones', async () => {
    const { run, root, groupsOf, entries } = await createScene()
    expect(await run(root, '/rbac:setgroup bob@example.org moderator,muted')).toMatchObject({
      ok: true,
      text: 'Bob is now in player, moderator, muted.',
    })
    expect(await run(root, '/rbac:removegroup BOB moderator,player')).toMatchObject({ ok: true, data: { groups: ['muted'] } })
    expect(await groupsOf('bob@example.org')).toEqual(['muted'])
    expect(entries.slice(-2)).toMatchObject([
      { action: 'account.update', before: { groups: ['player'] }, after: { groups: ['player', 'moderator', 'muted'] } },
      { action: 'account.update', after: { groups: ['muted'] } },
    ])
  })

  it('refuses to grant or remove groups beyond the caller’s own, or of the last administrator', async () => {
    const { run, root, addAccount, groupsOf } = await createScene()
    const keeper = await addAccount('keeper@example.org', { groups: ['keeper'] })
    expect(await run(keeper, '/rbac:setgroup keeper@example.org admin')).toMatchObject({
      ok: false,
      data: { slug: 'beyond-own-permissions' },
    })
    expect(await run(keeper, '/rbac:removegroup root admin')).toMatchObject({
      ok: false,
      data: { slug: 'beyond-own-permissions' },
    })
    expect(await run(root, '/rbac:removegroup root admin')).toMatchObject({ ok: false, data: { slug: 'last-administrator' } })
    expect([await groupsOf('keeper@example.org'), await groupsOf('root@example.org')]).toEqual([['keeper'], ['admin']])
  })

  it.each([
    ['/rbac:setgroup bob@example.org nobodies', /Unknown group `nobodies`/],
    ['/rbac:setgroup nobody@example.org player', /no account of that name/],
    ['/rbac:setgroup bob@example.org', /<groups> is missing/],
    ['/rbac:setgroup bob@example.org player moderator', /too many/],
  ])('refuses %s', async (text, message) => {
    const { run, root, groupsOf } = await createScene()
    expect(await run(root, text)).toMatchObject({ ok: false, text: expect.stringMatching(message) })
    expect(await groupsOf('bob@example.org')).toEqual(['player'])
  })
})

describe('/invite', () => {
  it('returns a link to send, and says when it expires in words', async () => {
    const { run, root, entries } = await createScene()
    const week = await run(root, '/invite')
    const [, code] =
      /^https:\/\/play\.example\.org\/play#invite=(\S+) This link creates one account\. It expires in 7 days\. /.exec(
        week.text,
      ) ?? []
    expect(week).toMatchObject({ ok: true, data: { code, link: `https://play.example.org/play#invite=${code}` } })
    expect(week.text).toContain('Registration is off: set auth.local.registration to invite in server.yaml.')
    expect((await run(root, '/invite 3h player')).text).toContain('It expires in 3 hours.')
    expect(JSON.stringify(entries)).not.toContain(code)
  })
})

describe('/rbac:addgroup and /grant', () => {
  it('adds groups as /rbac:setgroup does, and is switched off with it', async () => {
    const { run, root, groupsOf } = await createScene()
    expect(await run(root, '/rbac:addgroup bob@example.org moderator')).toMatchObject({ ok: true })
    expect(await groupsOf('bob@example.org')).toEqual(['player', 'moderator'])
    await run(root, '/command:disable rbac:setgroup')
    expect(await run(root, '/rbac:addgroup bob@example.org muted')).toMatchObject({ data: { code: 'command-disabled' } })
  })

  it.each([
    ['/grant bob zone.buld', 'Unknown permission `zone.buld`. Did you mean `zone.build`?'],
    ['/grant bob modrator', 'Unknown group `modrator`. Did you mean `moderator`?'],
    ['/why bob zone.buld', 'Unknown permission `zone.buld`. Did you mean `zone.build`?'],
    ['/why bob kik', 'There is no command or permission `kik`. Did you mean `/kick`?'],
    ['/grant bob player 999999d', '<duration> is too long: at most 100 years'],
    ['/grant bob player soon', '<duration> must be a duration'],
  ])('answers %s with %s', async (text, message) => {
    const { run, root } = await createScene()
    expect(await run(root, text)).toMatchObject({ ok: false, text: expect.stringContaining(message) })
  })
})

describe('player names in commands', () => {
  it('takes email, playerId and display name in any letter case', async () => {
    const { run, root, bob } = await createScene()
    for (const name of ['BOB@example.ORG', bob.playerId.toUpperCase(), 'bOB', '" bob "'])
      expect(await run(root, `/rbac:setgroup ${name} player`)).toMatchObject({ ok: true })
  })

  it('refuses an ambiguous name with the candidates, and shows emails only with the permission', async () => {
    const { run, root, bob, addAccount, accountStore, groupsOf } = await createScene()
    const email = 'bobby@example.org'
    const twin = { ...bob, email, playerId: '00000000-0000-4000-8000-0000000000b0', displayName: 'BOB' }
    await accountStore.change(email, () => ({ next: twin, result: undefined }))
    const keeper = await addAccount('keeper@example.org', { groups: ['keeper'] })
    const seen = await run(root, '/rbac:setgroup bob muted')
    expect(seen).toMatchObject({ ok: false, text: expect.stringContaining('BOB (bobby@example.org,') })
    const unseen = await run(keeper, '/rbac:setgroup bob muted')
    expect(unseen).toMatchObject({ ok: false, text: expect.stringContaining(`BOB (${twin.playerId})`) })
    expect(unseen.text).not.toContain('@example.org')
    expect(await groupsOf('bob@example.org')).toEqual(['player'])
  })

  it('never matches a display name when the argument looks like an email or an id', async () => {
    const { run, root, bob, addAccount, accountStore, groupsOf } = await createScene()
    await addAccount('mallory@example.org')
    // From before a name had to be different from an email.
    await accountStore.change('mallory@example.org', (account) => ({
      next: account && { ...account, displayName: 'ghost@example.org' },
      result: undefined,
    }))
    expect(await run(root, '/rbac:setgroup ghost@example.org moderator')).toMatchObject({ ok: false })
    expect(await run(root, `/rbac:setgroup ${bob.playerId} moderator`)).toMatchObject({ ok: true })
    expect(await groupsOf('mallory@example.org')).toEqual(['player'])
  })
})

describe('/rbac:listgroups', () => {
  it('shows permissions, inheritance, default groups and groups that are named but do not exist', async () => {
    const { run, root, permissions } = await createScene()
    expect(await run(root, '/rbac:listgroups')).toMatchObject({ ok: true, data: { unknownGroups: [] } })
    permissions.replace({
      groups: [
        { name: 'builder', permissions: ['world.build', '-command.say'], inherits: ['base'] },
        { name: 'base', permissions: [] },
      ],
      defaultGroups: ['newcomer'],
    })
    const { text, data } = await run(root, '/rbac:listgroups')
    expect(text.split('\n')).toEqual([
      'admin: *; Built in: may do everything.',
      'builder: world.build, -command.say; inherits base',
      'base: no permissions of its own',
      'New accounts get: newcomer',
      'Groups that do not exist but are used by accounts or as a default: newcomer, player',
    ])
    expect(data).toMatchObject({ unknownGroups: ['newcomer', 'player'], groups: expect.any(Array) })
  })
})
