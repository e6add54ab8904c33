import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../functions/all-routes.ts'
import { commands } from '../../realtime/commands/commands.ts'
import { knownPermissions } from '../../shared/domain/permissions/known-permissions.ts'
import { listStale } from '../../tools/generate/made-files.ts'
import { createPermissionsPage } from '../../tools/generate/permissions-page.ts'

const page = createPermissionsPage()
const rowOf = (permission: string): readonly string[] => {
  const line = page.split('\n').find((one) => one.startsWith(`| \`${permission}\` |`)) ?? ''
  return line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))
}

describe('docs/permissions.md', () => {
  it('matches the declarations: else run npm run generate', () => {
    expect(listStale(new Map([['docs/permissions.md', page]]), [])).toEqual([])
  })

  it('has a row for every permission', () => {
    expect(knownPermissions.filter((permission) => rowOf(permission).length !== 4)).toEqual([])
  })

  it('lists every route and command with the permission it declares', () => {
    for (const { permission, summary } of allRoutes)
      if (permission.startsWith('admin.')) expect(rowOf(permission)[1]).toContain(summary.replaceAll('|', '\\|'))
    for (const { permission, name, description } of commands)
      if (permission !== 'none') expect(rowOf(permission)[1]).toContain(`\`/${name}\`: ${description}`)
  })

  it.each([
    ['world.build', 'no', 'admin, player, builder, moderator'],
    ['zone.build', 'no', 'admin, builder, moderator'],
    ['command.kick', 'yes', 'admin, moderator'],
    ['command.disable.others', 'yes', 'admin, moderator'],
    ['command.adduser', 'yes', 'admin'],
    ['admin.users.write', 'yes', 'admin'],
  ])('shows for %s whether it is privileged, and the groups with it', (permission, privileged, holders) => {
    expect(rowOf(permission).slice(2)).toEqual([privileged, holders])
  })
})
