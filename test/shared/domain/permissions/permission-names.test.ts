import { describe, expect, it } from '@jest/globals'
import { knownCommands } from '../../../../shared/domain/permissions/known-commands.ts'
import { knownPermissions } from '../../../../shared/domain/permissions/known-permissions.ts'
import { createPermissionNames } from '../../../../shared/domain/permissions/permission-names.ts'

describe('names of permissions', () => {
  it('include every permission of the server, and each wildcard above one', () => {
    const { describeUnknown } = createPermissionNames()
    for (const name of ['*', 'admin.*', 'admin.users.*', 'command.zone.*', ...knownPermissions]) {
      expect(describeUnknown(name)).toBeUndefined()
      expect(describeUnknown(`-${name}`)).toBeUndefined()
    }
    for (const { permission } of knownCommands) if (permission !== 'none') expect(describeUnknown(permission)).toBeUndefined()
  })

  it.each([
    ['zone.buld', 'zone.build'],
    ['-zone.buld', '-zone.build'],
    ['admin.user.*', 'admin.users.*'],
    ['instances.write', 'admin.instances.write'],
    ['world.build.*', 'world.build'],
    ['command.kcik', 'command.kick'],
    ['command.undo', 'world.undo'],
    ['command.zones', 'command.zone.list'],
  ])('suggest for %s the name %s', (rule, nearest) => {
    expect(createPermissionNames().describeUnknown(rule)).toBe(`Unknown permission \`${rule}\`. Did you mean \`${nearest}\`?`)
  })

  it.each(['shop.sell', 'shop.*', 'x', '__proto__', 'constructor.*'])('point to the list for %s, without a near name', (rule) => {
    expect(createPermissionNames().describeUnknown(rule)).toBe(
      `Unknown permission \`${rule}\`. docs/permissions.md lists every permission.`,
    )
  })

  it.each(['command.help', '-command.msg'])('say of %s that everyone can use the command', (rule) => {
    const { isKnown, describeUnknown } = createPermissionNames()
    expect(isKnown(rule)).toBe(false)
    expect(describeUnknown(rule)).toMatch(/All players can use \/(help|msg), so it needs no permission\./)
  })

  it('include the names that nodes report, as of the last refresh about modules', async () => {
    let reported: readonly string[] | undefined
    const names = createPermissionNames(async () => reported)
    await names.refresh(['world.build', 'module.shop.sell'])
    expect(names.describeUnknown('module.shop.sell')).toContain('No running node reports its modules at the moment.')
    reported = ['module.shop.sell']
    await names.refresh(['world.build'])
    expect(names.isKnown('module.shop.sell')).toBe(false)
    await names.refresh(['module.shop.sell'])
    expect(names.isKnown('module.shop.*')).toBe(true)
    expect(names.match('module.*')).toEqual(['module.shop.sell'])
  })

  it('include names below module. from their declaration until it is withdrawn', () => {
    const names = createPermissionNames()
    expect(names.describeUnknown('module.shop.sell')).toBe('Unknown permission `module.shop.sell`. No loaded module declares it.')
    const forget = names.declare(['module.shop.sell'])
    for (const rule of ['module.shop.sell', 'module.shop.*', 'module.*', '-module.*']) expect(names.isKnown(rule)).toBe(true)
    expect(names.describeUnknown('module.shop.sel')).toContain('Did you mean `module.shop.sell`?')
    expect(names.match('module.*')).toEqual(['module.shop.sell'])
    forget()
    expect(names.isKnown('module.shop.*')).toBe(false)
    expect(() => names.declare(['admin.users.read'])).toThrow('admin.users.read')
  })
})
