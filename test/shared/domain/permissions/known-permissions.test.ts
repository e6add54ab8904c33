import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../../functions/all-routes.ts'
import { commands } from '../../../../realtime/commands/commands.ts'
import { catalogue, configNames } from '../../../../shared/domain/configs/catalogue.ts'
import { knownCommands } from '../../../../shared/domain/permissions/known-commands.ts'
import { knownPermissions } from '../../../../shared/domain/permissions/known-permissions.ts'

const root = resolve(import.meta.dirname, '../../../..')

const readSources = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'known-permissions.ts')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))

const sources = ['functions', 'realtime', 'shared'].flatMap(readSources).join('\n')

describe('the known permissions', () => {
  it('are all that routes, commands and config files declare', () => {
    const declared = [
      ...allRoutes.map(({ permission }) => permission).filter((permission) => permission.startsWith('admin.')),
      ...commands.map(({ permission }) => permission).filter((permission) => permission !== 'none'),
      ...configNames.map((name) => catalogue[name].readPermission),
    ]
    expect([...new Set(declared)].filter((permission) => !knownPermissions.includes(permission))).toEqual([])
  })

  it('include every permission named elsewhere in the sources', () => {
    const named = sources.matchAll(/'((?:admin|command|world|zone)(?:\.[a-z]+)+)'/g)
    const actions =
      /^(world\.(create|delete|import|json|pregen|rename|return|rollback|spawn)|zone\.(create|update|delete|edit|edit-undone|restore|snapshot))$/
    const missing = [...new Set(Array.from(named, ([, name = '']) => name))].filter((name) => !knownPermissions.includes(name))
    expect(missing.filter((name) => !actions.test(name))).toEqual([])
  })

  it('are sorted, each once', () => {
    expect(knownPermissions).toEqual([...new Set(knownPermissions)].sort())
  })
})

describe('the known commands', () => {
  it('are the existing ones, in the same order', () => {
    expect(commands.map(({ name }) => name)).toEqual(knownCommands.map(({ name }) => name))
  })
})
