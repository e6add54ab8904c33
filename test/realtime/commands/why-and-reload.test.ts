import { describe, expect, it } from '@jest/globals'
import { createCommandFixture } from './command-fixture.ts'

const createScene = async () => {
  const fixture = createCommandFixture()
  const root = await fixture.addAccount('root@example.org', { groups: ['admin'], password: 'correct horse', displayName: 'Root' })
  const mod = await fixture.addAccount('mod@example.org', { groups: ['moderator'], displayName: 'Mo' })
  return { ...fixture, root, mod }
}

describe('/why', () => {
  it.each([
    ['mo world.build', true, /granted by the rule "world\.build" of group "player", inherited by "moderator"/],
    ['mo /who', true, /command\.who/],
    ['mo KICK', true, /Privileged: .*Mo has no password/],
    ['root command.kick', true, /"\*" of built-in group "admin"[^\n]*\n.*Privileged: [^\n]*identity provider\./],
    ['root admin.users.read', true, /Privileged: /],
    ['mo adduser', false, /taken away by the rule "-command\.adduser" of group "moderator"/],
    ['mo zone.build', false, /not granted: no rule/],
    ['mo help', true, /\/help needs no permission/],
  ])('answers %s with the rule and its source', async (question, allowed, text) => {
    const { run, root } = await createScene()
    expect(await run(root, `/why ${question}`)).toMatchObject({ ok: true, text: expect.stringMatching(text), data: { allowed } })
  })

  it('predicts the outcome of commands that the owner of a zone may run', async () => {
    const { run, root, permissions, addAccount, addZone, join } = await createScene()
    permissions.replace({ groups: [{ name: 'player', permissions: ['zone.history'] }], defaultGroups: ['player'] })
    const ann = await addAccount('ann@example.org', { displayName: 'Ann' })
    const { x, z } = join(ann).position
    for (const members of [[], [ann.playerId]]) {
      if (members.length > 0)
        await addZone({ yMin: 60, yMax: 70, chunks: [{ cx: Math.floor(x / 16), cz: Math.floor(z / 16) }], members })
      for (const line of ['inspect', 'rollback']) {
        for (const verified of [true, false]) {
          const { ok, data } = await run(ann, line === 'inspect' ? '/inspect' : '/rollback root@example.org 1h', verified)
          const { code = '' } = data as { code?: string }
          const isRefused = !ok && ['missing-permission', 'password-sign-in-needed'].includes(code)
          const asked = `/why ann ${line} ${verified ? 'verified' : 'unverified'}`
          expect([members, asked, (await run(root, asked)).data]).toMatchObject([members, asked, { allowed: !isRefused }])
        }
      }
    }
  })

  it('returns every check in order, the rule, and the path to its group', async () => {
    const { run, root } = await createScene()
    const { text, data } = await run(root, '/why mo say')
    expect(data).toEqual({
      allowed: true,
      permission: 'command.say',
      checks: [
        { check: 'switched-off', ok: true, detail: '/say is switched on for Mo.' },
        {
          check: 'permission',
          ok: true,
          detail: '"command.say" is granted by the rule "command.say" of group "player", inherited by "moderator".',
        },
        { check: 'verified', ok: true, detail: 'Not privileged: any sign-in is enough.' },
        { check: 'sanction', ok: true, detail: 'Neither banned nor muted.' },
      ],
      rule: { rule: 'command.say', group: 'player', through: ['moderator'], source: 'groups.yaml' },
    })
    expect(text).toContain('Mo, in moderator, may use /say.\n+ switched-off: /say is switched on for Mo.\n')
  })

  it('names a ban, and a mute for commands that speak only', async () => {
    const { run, root } = await createScene()
    await run(root, '/mute mo 10m shouting')
    expect(await run(root, '/why mo say')).toMatchObject({
      text: expect.stringMatching(/Mo, in moderator, may not use \/say\.\n(?:\+ .*\n)+- sanction: Muted.*shouting \(It ends at /),
      data: { allowed: false },
    })
    expect(await run(root, '/why mo who')).toMatchObject({ data: { allowed: true } })
    await run(root, '/ban mo 10m griefing')
    expect(await run(root, '/why mo who')).toMatchObject({
      text: expect.stringMatching(/sanction: Banned: griefing \(It ends at /),
      data: { allowed: false },
    })
  })

  it('names a grant with its end, a grant of a group too, and the path to the rule', async () => {
    const { run, root, accounts, mod, callerFor } = await createScene()
    const { actor } = await callerFor(root)
    await accounts.addGrant(actor, mod.email, { permission: 'zone.build', until: '2999-01-01T00:00:00.000Z' })
    expect(await run(root, '/why mo zone.build')).toMatchObject({
      text: expect.stringContaining('by a grant of "zone.build" until 2999-01-01T00:00:00.000Z, given by root@example.org.'),
      data: { rule: { rule: 'zone.build', group: '', through: [], source: 'grant' } },
    })
    await accounts.updateAccount(actor, mod.email, { groups: [] })
    await accounts.addGrant(actor, mod.email, { group: 'moderator', until: '2999-01-01T00:00:00.000Z' })
    expect(await run(root, '/why mo who')).toMatchObject({
      text: expect.stringMatching(/inherited by "moderator", by a grant of the group until 2999/),
      data: { allowed: true, rule: { rule: 'command.who', group: 'player', through: ['moderator'], source: 'grant' } },
    })
  })

  it('ignores a grant with a place for a route, which has no place', async () => {
    const { run, root, accounts, mod, callerFor, join, world } = await createScene()
    join(mod)
    const { actor } = await callerFor(root)
    await accounts.addGrant(actor, mod.email, { permission: 'admin.worlds.read', world: world.record.name })
    expect(await run(root, '/why mo admin.worlds.read')).toMatchObject({
      text: expect.stringContaining('A grant gives it only elsewhere: in world'),
      data: { allowed: false },
    })
  })

  it('names switched-off commands and groups of the account that do not exist', async () => {
    const { run, root, mod, permissions } = await createScene()
    await run(root, '/command:disable tp mo')
    permissions.replace({ groups: [{ name: 'player', permissions: ['command.tp'] }], defaultGroups: [] })
    await run(root, '/rbac:setgroup mo player')
    const reply = await run(root, `/why ${mod.email} tp`)
    expect(reply.text).toContain('- switched-off: /tp is switched off for Mo.')
    expect(reply.text).toContain('These groups do not exist and have no effect: moderator.')
    expect(reply.data).toMatchObject({ allowed: false })
  })

  it.each([
    ['/why mo', /<permission-or-command> is missing/],
    ['/why mo "two words"', /Give a command, or a permission/],
    ['/why mo tp maybe', /The last word must be "verified"/],
    ['/why mo /no-such', /Give a command, or a permission/],
    ['/why nobody tp', /no account of that name/],
  ])('refuses %s', async (text, message) => {
    const { run, root } = await createScene()
    expect(await run(root, text)).toMatchObject({ ok: false, text: expect.stringMatching(message) })
  })
})

describe('/reload and /config:reload', () => {
  it('reload everything, or the named config', async () => {
    const { run, root, reloads } = await createScene()
    expect(await run(root, '/reload')).toMatchObject({ ok: true, text: 'Reloaded: groups.yaml' })
    for (const name of ['rbac', 'RBAC', 'groups.yaml', 'server', 'server.yaml'])
      expect(await run(root, `/config:reload ${name}`)).toMatchObject({ ok: true })
    expect(reloads.asked).toEqual([
      undefined,
      ['groups.yaml'],
      ['groups.yaml'],
      ['groups.yaml'],
      ['server.yaml'],
      ['server.yaml'],
    ])
  })

  it('write the caller and the outcome to the audit log', async () => {
    const { run, root, entries } = await createScene()
    await run(root, '/reload')
    await run(root, '/config:reload rbac')
    const after = { reloaded: ['groups.yaml'], restartNeeded: [], failed: [] }
    const reload = { actor: 'root@example.org', action: 'config.reload', via: 'command', before: null, after }
    expect(entries.filter(({ action }) => action === 'config.reload')).toEqual([
      expect.objectContaining({ ...reload, target: 'all' }),
      expect.objectContaining({ ...reload, target: 'groups.yaml' }),
    ])
  })

  it('take the name of a file in a folder, with or without .yaml', async () => {
    const { run, root, reloads } = await createScene()
    for (const name of ['skills/attacks', 'skills/spells.yaml', 'classes'])
      expect(await run(root, `/config:reload ${name}`)).toMatchObject({ ok: true })
    expect(reloads.asked).toEqual([['skills/attacks.yaml'], ['skills/spells.yaml'], ['classes.yaml']])
  })

  it('name the part of a file that waits for a restart', async () => {
    const { run, root, reloads } = await createScene()
    reloads.state.report = {
      reloaded: ['server.yaml'],
      changed: ['server.yaml'],
      restartNeeded: ['server.yaml', 'worldgen.yaml'],
      failed: [],
    }
    expect(await run(root, '/reload')).toMatchObject({
      ok: true,
      text: 'Reloaded: server.yaml\nApplied after a restart: the rest of server.yaml, worldgen.yaml',
    })
  })

  it('list all bad settings of modules with their places, and what stays active', async () => {
    const { run, root, reloads } = await createScene()
    const errors = [
      { pointer: '/modules/coins/settings/gift', message: 'must be a whole number', line: 3, column: 22 },
      { pointer: '/modules/coins/settings/giftt', message: 'is not a known key. Did you mean "gift"?', line: 3, column: 34 },
    ]
    const warning =
      'The settings of "shopp" were not checked, because no running node has loaded this module. Did you mean "shop"?'
    const lines = errors.map(({ line, column, pointer, message }) => `  line ${line}, column ${column}: ${pointer} ${message}`)
    for (const [keepsSettings, outcome] of [
      [true, 'keeps its settings'],
      [false, 'does not run'],
    ] as const) {
      reloads.state.checked = { modules: [{ module: 'coins', keepsSettings, errors }], warnings: [warning] }
      const text = [
        'Reloaded: groups.yaml',
        `Bad settings in modules.yaml: the module coins ${outcome}.`,
        ...lines,
        warning,
      ].join('\n')
      for (const command of ['/reload', '/config:reload groups'])
        expect(await run(root, command)).toMatchObject({ ok: false, text, data: { code: 'refused', modules: [{ errors }] } })
    }
    reloads.state.checked = { warnings: [warning] }
    expect(await run(root, '/reload')).toMatchObject({ ok: true, text: `Reloaded: groups.yaml\n${warning}` })
  })

  it('report configs that wait for a restart, and each fault of a broken file', async () => {
    const { run, root, reloads } = await createScene()
    reloads.state.report = {
      reloaded: [],
      changed: [],
      restartNeeded: ['server.yaml'],
      failed: [
        {
          name: 'groups.yaml',
          errors: [{ line: 3, column: 7, pointer: '/groups/0', message: 'is not a list' }, { message: 'x' }],
        },
      ],
    }
    expect(await run(root, '/reload')).toEqual({
      ok: false,
      text: 'Applied after a restart: server.yaml\nFailed, the last valid version stays active: groups.yaml\n  line 3, column 7: /groups/0 is not a list\n  x',
      data: { code: 'refused', ...reloads.state.report, modules: [], warnings: [] },
    })
  })

  it.each([
    ['/config:reload', 'bad-arguments', /<config> is missing/],
    ['/config:reload users.yaml', 'refused', /The configs are: rbac, blocks\.yaml, .*server\.yaml, skills\/attacks\.yaml/],
    ['/config:reload constructor', 'refused', /no such config/],
    ['/config:reload ../server.yaml', 'refused', /no such config/],
    ['/reload rbac', 'bad-arguments', /too many/],
  ])('refuse %s and reload nothing', async (text, code, message) => {
    const { run, root, reloads } = await createScene()
    expect(await run(root, text)).toMatchObject({ ok: false, text: expect.stringMatching(message), data: { code } })
    expect(reloads.asked).toEqual([])
  })
})
