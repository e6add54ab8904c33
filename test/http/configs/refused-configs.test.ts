import { describe, expect, it } from '@jest/globals'
import { classConfigs } from '../../support/configs/class-configs.ts'
import type { DoorAnswer } from '../../support/http/door.ts'
import { doors, type OpenDoor, type OpenOptions } from '../doors.ts'

const groups = {
  groups: [
    { name: 'player', permissions: ['world.build'] },
    { name: 'writer', permissions: ['admin.configs.*'] },
    { name: 'clerk', permissions: ['admin.users.*'] },
  ],
}
const configs = { groups, ...classConfigs }

const put = ({ request }: OpenDoor, name: string, rawBody: string | Uint8Array, query = '') =>
  request('PUT', `/api/admin/configs/${name}${query}`, { rawBody, headers: { 'content-type': 'application/yaml' } })

/** The answer to a save and to its dry run, which must be equal and leave no trace. */
const refuse = async (door: OpenDoor, name: string, text: string | Uint8Array): Promise<DoorAnswer> => {
  const read = async () => ({ stored: await door.configFiles.read(name), revisions: await door.configFiles.revisions(name) })
  const before = await read()
  const [answer, dry] = [await put(door, name, text), await put(door, name, text, '?dryRun=true')]
  expect({ status: dry.status, body: dry.body }).toEqual({ status: answer.status, body: answer.body })
  expect(await read()).toEqual(before)
  expect((await door.deps.audit.listEntries({ limit: 10 })).entries).toEqual([])
  return answer
}

describe.each(doors)('a refused config text through %s', (_name, openDoor) => {
  const open = (options: OpenOptions = {}) => openDoor({ as: 'admin', configs, ...options })

  const openAs = async (held: readonly string[], options: OpenOptions = {}) => {
    const door = await openDoor({ as: 'player', configs, ...options })
    await door.accountStore.change('player@example.com', () => ({
      next: { ...door.people.player, groups: [...held] },
      result: undefined,
    }))
    return door
  }

  it.each([
    ['no YAML', 'groups: [', 1],
    ['with an unknown key', 'groups: []\ngruops: []', 2],
    [
      'that inherits in a circle',
      'groups:\n  - {name: a, permissions: [], inherits: [b]}\n  - {name: b, permissions: [], inherits: [a]}',
      3,
    ],
  ])('that is %s answers 422 with line and column', async (_what, text, line) => {
    const answer = await refuse(await open(), 'groups.yaml', text)
    expect(answer).toMatchObject({ status: 422, body: { type: '/problems/invalid-config' } })
    expect(answer.body.errors.length).toBeGreaterThan(0)
    for (const fault of answer.body.errors)
      expect(fault).toEqual(
        expect.objectContaining({ line: expect.any(Number), column: expect.any(Number), message: expect.any(String) }),
      )
    expect(answer.body.errors.map((fault: { line: number }) => fault.line)).toContain(line)
    expect(answer.text).not.toMatch(/\.ts\b|node_modules/)
  })

  it.each([
    [
      'permission',
      'groups:\n  - name: a\n    permissions:\n      - world.build\n      - zone.buld',
      5,
      'zone.buld',
      'zone.build',
    ],
    ['permission with a minus', 'groups:\n  - name: a\n    permissions: [-admin.user.*]', 3, '-admin.user.*', '-admin.users.*'],
    [
      'group',
      'groups:\n  - {name: builder, permissions: []}\n  - name: a\n    permissions: []\n    inherits: [bulder]',
      5,
      'bulder',
      'builder',
    ],
  ])('with an unknown %s answers 422 with the nearest name, in the dry run too', async (what, text, line, name, nearest) => {
    const type = `/problems/unknown-${what.split(' ')[0]}`
    const message = expect.stringContaining(`\`${name}\`. Did you mean \`${nearest}\`?`)
    const refusal = { status: 422, body: { type, detail: message, errors: [{ line, message, pointer: expect.any(String) }] } }
    expect(await refuse(await open(), 'groups.yaml', text)).toMatchObject(refusal)
  })

  it('with several faults answers all of them, each with a pointer', async () => {
    const text = 'realtime:\n  tickRate: 0\n  viewRadius: "8"\nhttp:\n  allowedOrigins: nobody\n'
    const { status, body } = await refuse(await open(), 'server.yaml', text)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([
      { pointer: '/realtime/tickRate', line: 2, column: 3 },
      { pointer: '/realtime/viewRadius', line: 3, column: 3 },
      { pointer: '/http/allowedOrigins', line: 5, column: 3 },
    ])
    expect(body.detail).toContain('server.yaml:2:3')
  })

  it('with a key named like a secret answers 422 with the way to pass it, without its value', async () => {
    const text = 'auth:\n  oauth:\n    clientSecret: hunter2\n'
    const { status, body, ...answer } = await refuse(await open(), 'server.yaml', text)
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: [
        { line: 3, column: 5, pointer: '/auth/oauth/clientSecret', message: expect.stringContaining('environment variable') },
      ],
    })
    expect(answer.text).not.toContain('hunter2')
  })

  it('that removes the target of a reference answers 422 with the other file and its place', async () => {
    const {
      attacks: { thrust, old_trick },
    } = classConfigs.attacks
    const text = JSON.stringify({ attacks: { thrust, old_trick } })
    const { status, body } = await refuse(await open(), 'skills/attacks.yaml', text)
    expect(status).toBe(422)
    const messages = body.errors.map(({ message }: { message: string }) => message).join('\n')
    expect(messages).toMatch(/classes\.yaml.*\/classes\/lancer\/levels\/2\/attacks\/1.*charge/)
    expect(messages).toMatch(/classes\.yaml.*\/classes\/lancer\/levels\/10\/attacks\/1.*pierce/)
  })

  it('is checked against the stored text of another file, reloaded or not', async () => {
    const door = await open()
    await door.configFiles.write('classes.yaml', 'classes: {}\n', { savedBy: 'file' })
    expect((await put(door, 'skills/attacks.yaml', 'attacks: {}\n')).status).toBe(200)
  })

  it('is checked against the active text of another file when the stored one is broken', async () => {
    const door = await open()
    await door.configFiles.write('classes.yaml', 'classes: [', { savedBy: 'file' })
    expect((await put(door, 'skills/attacks.yaml', 'attacks: {}\n')).status).toBe(422)
  })

  it('does not include a text with existing faults of another file', async () => {
    const door = await open()
    const broken =
      'classes:\n  monk: {resource: MANA, bonuses: {str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0}, hpFormula: level, manaFormula: level, levels: {1: {attacks: [{attack: kick, rank: 1}], spells: []}}}\n'
    await door.configFiles.write('classes.yaml', broken, { savedBy: 'file' })
    const text = JSON.stringify({ attacks: { thrust: classConfigs.attacks.attacks.thrust } })
    expect((await put(door, 'skills/attacks.yaml', text)).status).toBe(200)
  })

  it.each([
    [
      'the group is gone',
      'groups:\n  - {name: player, permissions: [world.build]}\n  - {name: clerk, permissions: [admin.users.*]}\n',
      1,
    ],
    [
      'it may only read',
      'groups:\n  - {name: player, permissions: [world.build]}\n  - {name: clerk, permissions: [admin.users.*]}\n  - name: writer\n    permissions: [admin.configs.read]\n',
      5,
    ],
    [
      'a rule denies it',
      `groups:\n  - {name: player, permissions: [world.build]}\n  - {name: clerk, permissions: [admin.users.*]}\n  - name: writer\n    permissions:\n      - admin.configs.*\n      - -admin.configs.write\n`,
      7,
    ],
  ])('that would lock the writer out (%s) answers 422 and says so', async (_what, text, line) => {
    const { status, body } = await refuse(await openAs(['player', 'writer']), 'groups.yaml', text)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ line, message: expect.stringContaining('admin.configs.write') }])
  })

  it.each([
    ['everything for the own group', '"*"', '[admin.users.*]'],
    ['users for the own group', 'admin.users.read', '[admin.users.*]'],
    ['less for others', 'admin.configs.*', '[]'],
    ['a rule against administrators', 'admin.configs.*', '[admin.users.*, -admin.audit.*]'],
  ])('that exceeds the permissions of the writer (%s) answers 403 with the group', async (_what, own, clerk) => {
    const text = `groups:\n  - {name: player, permissions: [world.build]}\n  - {name: writer, permissions: [admin.configs.*, ${own}]}\n  - {name: clerk, permissions: ${clerk}}\n`
    const { status, body } = await refuse(await openAs(['player', 'writer']), 'groups.yaml', text)
    expect({ status, type: body.type }).toEqual({ status: 403, type: '/problems/beyond-own-permissions' })
    expect(body.detail).toMatch(/the group "(writer|clerk)"/)
  })

  it.each([
    ['an identity provider', 'oauth: {issuer: "https://issuer.example"}'],
    ['a kind of one', 'oauth: {type: oauth2}'],
    ['a group by a claim', 'oauth: {groupsClaim: {claim: groups, mapping: {everyone: admin}}}'],
    ['a place to send tokens to', 'oauth: {allowedReturnUrls: ["https://evil.example/"]}'],
    ['a variable to take for the secret', 'oauth: {clientSecretEnv: SOME_SECRET}'],
  ])('that decides identities (%s) answers 403 to a writer without every permission', async (_what, auth) => {
    const text = `auth: {${auth}}\n`
    const { status, body } = await refuse(await openAs(['player', 'writer']), 'server.yaml', text)
    expect({ status, type: body.type }).toEqual({ status: 403, type: '/problems/beyond-own-permissions' })
    expect((await put(await open(), 'server.yaml', text)).status).toBe(200)
  })

  it('that only switches the provider answers 403 to a writer without every permission', async () => {
    const oauth = {
      issuer: 'https://issuer.example',
      clientId: 'a',
      clientSecretEnv: 'OAUTH_SECRET',
      redirectUri: 'https://game.example.org/auth/callback',
      allowedReturnUrls: ['https://game.example.org/play'],
    }
    const prepared = { configs: { ...configs, server: { auth: { oauth } } } }
    const text = JSON.stringify({ auth: { provider: 'oauth', oauth } })
    const { status, body } = await refuse(await openAs(['player', 'writer'], prepared), 'server.yaml', text)
    expect({ status, type: body.type }).toEqual({ status: 403, type: '/problems/beyond-own-permissions' })
    expect((await put(await open(prepared), 'server.yaml', text)).status).toBe(200)
  })

  it('that makes passwords optional answers 403 to a writer without every permission', async () => {
    const options = { configs: { ...configs, server: { auth: { local: { requirePassword: true } } } } }
    const writer = await openAs(['player', 'writer', 'clerk'], options)
    for (const text of ['{}', 'auth: {local: {requirePassword: false}}']) {
      const { status, body } = await refuse(writer, 'server.yaml', text)
      expect({ status, type: body.type }).toEqual({ status: 403, type: '/problems/beyond-own-permissions' })
    }
    const unchanged = 'auth: {local: {requirePassword: true, bcryptCost: 11}}\n'
    expect((await put(writer, 'server.yaml', unchanged)).status).toBe(200)
    expect((await put(await open(options), 'server.yaml', '{}')).status).toBe(200)
    expect((await put(await openAs(['player', 'writer', 'clerk']), 'server.yaml', unchanged)).status).toBe(200)
  })

  it.each([
    ['backups: {keep: {last: 1}}', 'backups.keep.last', 'admin.backups.write'],
    ['backups: {every: 1d}', 'backups.every', 'admin.backups.write'],
    ['history: {days: 1}', 'history.days', 'admin.history.write'],
    ['audit: {days: 1}', 'audit.days', '*'],
    ['auth: {local: {requirePassword: true}}\nhttp: {trustedProxies: 3}', 'http.trustedProxies', '*'],
    ['http: {allowedOrigins: ["https://evil.example"]}', 'http.allowedOrigins', '*'],
    [
      'http: {rateLimits: {signInPerMinutePerAddress: 1000000}}',
      'http.rateLimits.signInPerMinutePerAddress',
      'admin.users.write',
    ],
    ['auth: {local: {registration: open}}', 'auth.local.registration', 'admin.users.write'],
    ['realtime: {admission: permission}', 'realtime.admission', 'admin.users.write'],
  ])('of server.yaml with %s answers 403 with the key and the permission, in the dry run too', async (text, key, permission) => {
    const { status, body } = await refuse(await openAs(['player', 'writer']), 'server.yaml', `${text}\n`)
    expect([status, body.detail]).toEqual([403, expect.stringContaining(`Changing ${key}`)])
    expect(body.detail).toContain(`needs the permission "${permission}"`)
    const holder = permission === '*' ? 'admin' : 'holder'
    const groupsOfHolder = { groups: [...groups.groups, { name: 'holder', permissions: [permission] }] }
    const door = await openAs(['player', 'writer', holder], { configs: { ...configs, groups: groupsOfHolder } })
    expect((await put(door, 'server.yaml', `${text}\n`)).status).toBe(200)
  })

  it('of server.yaml without keys answers 403 when a key would return to its default', async () => {
    const options = { configs: { ...configs, server: { backups: { keep: { last: 30 } } } } }
    const writer = await openAs(['player', 'writer'], options)
    const { status, body } = await refuse(writer, 'server.yaml', '# all defaults\n')
    expect([status, body.detail]).toEqual([403, expect.stringContaining('backups.keep.last')])
    expect((await put(writer, 'server.yaml', 'backups: {keep: {last: 30}}\nrealtime: {motd: Hi}\n')).status).toBe(200)
  })

  it('of server.yaml is refused as an undo without the permission for the key', async () => {
    const door = await openAs(['player', 'writer'])
    const saved = async (text: string) => {
      door.clock.advance(1)
      const admin = { authorization: `Bearer ${await door.issueToken('admin')}`, 'content-type': 'application/yaml' }
      expect((await door.request('PUT', '/api/admin/configs/server.yaml', { rawBody: text, headers: admin })).status).toBe(200)
    }
    await saved('backups: {keep: {last: 2}}\n')
    await saved('backups: {keep: {last: 9}}\n')
    const [entry] = (await door.deps.audit.listEntries({ limit: 1 })).entries
    const undone = await door.post(`/api/admin/audit/${entry?.id}/undo`)
    expect([undone.status, undone.body.detail]).toEqual([403, expect.stringContaining('admin.backups.write')])
  })

  it('does not include another spelling of the same sign-in settings with other changes', async () => {
    const text = 'auth: {provider: "local", oauth: {scopes: openid email profile}}\nrealtime: {viewRadius: 7}\n'
    expect((await put(await openAs(['player', 'writer']), 'server.yaml', text)).status).toBe(200)
  })

  it('does not include a text that grants only permissions of the writer', async () => {
    const door = await openAs(['player', 'writer'])
    const text =
      'groups:\n  - {name: player, permissions: [world.build, admin.configs.read]}\n  - {name: clerk, permissions: [admin.users.*]}\n  - {name: writer, permissions: [admin.configs.*]}\n'
    expect((await put(door, 'groups.yaml', text)).status).toBe(200)
  })

  it('of a user with read access answers 403', async () => {
    const door = await open({
      as: 'player',
      configs: { groups: { groups: [{ name: 'player', permissions: ['admin.configs.read'] }] } },
    })
    const { status, body } = await refuse(door, 'groups.yaml', 'groups: []\n')
    expect({ status, type: body.type }).toEqual({ status: 403, type: '/problems/missing-permission' })
    expect((await door.get('/api/admin/configs/groups.yaml')).status).toBe(200)
  })
})
