import { describe, expect, it } from '@jest/globals'
import { commands } from '../../../realtime/commands/commands.ts'
import { createCommandFixture } from './command-fixture.ts'

/** PROTOCOL.md section 2, row by row: a valid line, the permission, whether it is privileged. */
const table: readonly (readonly [name: string, line: string, permission: string, privileged: boolean])[] = [
  ['help', '/help', 'none', false],
  ['adduser', '/adduser new@example.org long-enough', 'command.adduser', true],
  ['inspect', '/inspect 1 2 3', 'command.inspect', false],
  ['rollback', '/rollback bob@example.org 10m', 'command.rollback', true],
  ['undo', '/undo 2', 'world.undo', false],
  ['invite', '/invite 3d', 'command.invite', true],
  ['rbac:addgroup', '/rbac:addgroup bob@example.org player', 'command.rbac.setgroup', true],
  ['rbac:setgroup', '/rbac:setgroup bob@example.org player', 'command.rbac.setgroup', true],
  ['rbac:removegroup', '/rbac:removegroup bob@example.org player', 'command.rbac.removegroup', true],
  ['rbac:listgroups', '/rbac:listgroups', 'command.rbac.listgroups', false],
  ['reload', '/reload', 'command.reload', true],
  ['config:reload', '/config:reload rbac', 'command.config.reload', true],
  ['command:disable', '/command:disable who', 'none', false],
  ['command:enable', '/command:enable who', 'none', false],
  ['who', '/who', 'command.who', false],
  ['say', '/say hello', 'command.say', false],
  ['msg', '/msg Bob hello', 'none', false],
  ['r', '/r hello', 'none', false],
  ['ignore', '/ignore Bob', 'none', false],
  ['unignore', '/unignore Bob', 'none', false],
  ['announce', '/announce dinner is ready', 'command.announce', true],
  ['tp', '/tp 1 2 3', 'command.tp', false],
  ['spawn', '/spawn', 'none', false],
  ['setspawn', '/setspawn 1 64 3', 'command.setspawn', true],
  ['kick', '/kick bob@example.org', 'command.kick', true],
  ['warn', '/warn bob@example.org stop', 'command.warn', true],
  ['mute', '/mute bob@example.org stop', 'command.mute', true],
  ['unmute', '/unmute bob@example.org', 'command.unmute', true],
  ['ban', '/ban bob@example.org 10m stop', 'command.ban', true],
  ['unban', '/unban bob@example.org', 'command.unban', true],
  ['sanctions', '/sanctions bob@example.org', 'command.sanctions', true],
  ['report', '/report bob@example.org broke my house', 'none', false],
  ['grant', '/grant bob@example.org player 10m', 'command.grant', true],
  ['ungrant', '/ungrant bob@example.org player', 'command.ungrant', true],
  ['why', '/why bob@example.org world.build', 'command.why', true],
  ['world', '/world', 'command.world', false],
  ['modules', '/modules', 'command.modules', false],
  ['module', '/module reload', 'command.module', true],
  ['save', '/save', 'command.save', true],
  ['zones', '/zones', 'command.zone.list', false],
  ['zone:enable', '/zone:enable Town', 'command.zone.write', true],
  ['zone:disable', '/zone:disable Town', 'command.zone.write', true],
]

/** A line that a command needs to run before it. */
const firstOf: Readonly<Record<string, string>> = { r: '/msg Bob hello', unignore: '/ignore Bob' }

const createScene = async (rules: readonly string[]) => {
  const fixture = createCommandFixture()
  fixture.permissions.replace({
    groups: [
      { name: 'player', permissions: [] },
      { name: 'tested', permissions: [...rules] },
    ],
    defaultGroups: ['player'],
  })
  const ann = await fixture.addAccount('ann@example.org', { groups: ['tested'] })
  const bob = await fixture.addAccount('bob@example.org', { displayName: 'Bob' })
  await fixture.addZone({ name: 'Town' })
  fixture.join(ann)
  fixture.join(bob)
  const isListed = async (name: string, verified: boolean) =>
    fixture.executor.listCommandsFor(await fixture.callerFor(ann, verified)).some((command) => command.name === name)
  return { ...fixture, ann, isListed }
}

describe('the access table of commands', () => {
  it('refuses a privileged command to an administrator with a common password', async () => {
    const { run, addAccount, executor, callerFor, permissions } = await createScene([])
    const cem = await addAccount('cem@example.org', { groups: ['tested'], password: 'password1' })
    permissions.replace({ groups: [{ name: 'tested', permissions: ['*'] }], defaultGroups: ['player'] })
    expect(await run(cem, '/kick bob@example.org')).toMatchObject({
      ok: false,
      text: expect.stringContaining('Set a new password'),
      data: { code: 'password-sign-in-needed' },
    })
    const names = executor.listCommandsFor(await callerFor(cem, true)).map(({ name }) => name)
    expect([names.includes('kick'), names.includes('spawn')]).toEqual([false, true])
  })

  it('has a row for every command', () => {
    expect(commands.map(({ name }) => name).sort()).toEqual(table.map(([name]) => name).sort())
  })

  it.each(table)('matches the permission and the mark of %s', (name, _line, permission, privileged) => {
    expect(commands.find((command) => command.name === name)).toMatchObject({ permission, privileged })
  })

  describe.each(table.filter(([, , permission]) => permission === 'none'))('%s', (name, line) => {
    it.each([true, false])('is run and listed without any group, verified or not (%s)', async (verified) => {
      const { run, ann, isListed } = await createScene([])
      const first = firstOf[name]
      if (first !== undefined) await run(ann, first, verified)
      expect(await run(ann, line, verified)).toMatchObject({ ok: true })
      expect(await isListed(name, verified)).toBe(true)
    })
  })

  describe.each(table.filter(([, , permission]) => permission !== 'none'))('%s', (name, line, permission, privileged) => {
    // A wildcard of commands, except for permissions in the world.
    const all = permission.replace(/\..*/, '.*')
    it.each([
      ['nothing', []],
      ['another permission', ['command.other', all === 'world.*' ? 'zone.*' : 'world.*', `${permission}.more`]],
      ['it and takes it away', [permission, `-${permission}`]],
      ['everything and takes it away', ['*', `-${permission}`]],
      ['it and takes all commands away', [permission, `-${all}`]],
    ])('is refused to a group with %s, and the refusal names the permission', async (_what, rules) => {
      const { run, ann, isListed, done, entries } = await createScene(rules)
      const before = entries.length
      // A caller with every other permission may read accounts, and gets a link to the full answer.
      const explain = `/api/admin/explain?${new URLSearchParams({ email: 'ann@example.org', permission })}`
      expect(await run(ann, line)).toEqual({
        ok: false,
        text: rules.includes('*') ? `/${name} needs the permission ${permission}.` : `You do not have access to /${name}.`,
        data: { code: 'missing-permission', permission, ...(rules.includes('*') && { explain }) },
      })
      expect(await isListed(name, true)).toBe(false)
      expect([done, entries.length]).toEqual([[], before])
    })

    it.each([
      ['it', [permission]],
      ['all commands', [all]],
      ['everything', ['*']],
    ])('is run and listed for a verified member of a group with %s', async (_what, rules) => {
      const { run, ann, isListed } = await createScene(rules)
      const reply = await run(ann, line)
      expect(['beyond-own-permissions', undefined]).toContain(reply.ok ? undefined : Object(reply.data).slug)
      expect(await isListed(name, true)).toBe(true)
    })

    it(`is ${privileged ? 'refused to' : 'run by'} an unverified member by name, and never by "*"`, async () => {
      const { run, ann, isListed } = await createScene([permission])
      const byBlanket = await createScene(['*'])
      const reply = await run(ann, line, false)
      expect([await isListed(name, false), await byBlanket.isListed(name, false)]).toEqual([!privileged, false])
      expect(await byBlanket.run(byBlanket.ann, line, false)).toMatchObject({ data: { code: 'password-sign-in-needed' } })
      if (!privileged) expect(reply.ok).toBe(true)
      else
        expect(reply).toMatchObject({
          ok: false,
          text: expect.stringMatching(/password/),
          data: { code: 'password-sign-in-needed' },
        })
    })
  })
})
