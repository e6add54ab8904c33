import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { catalogue, configNames } from '../../../../shared/domain/configs/catalogue.ts'
import type { ConfigName } from '../../../../shared/domain/configs/declare/config-file.ts'
import { readConfig } from '../../../../shared/domain/configs/reading/config-parser.ts'
import { createEmbeddedConfigFiles } from '../../../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import { decidePermission } from '../../../../shared/domain/permissions/decide-permission.ts'
import { createPermissions } from '../../../../shared/domain/permissions/permissions.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const root = resolve(import.meta.dirname, '../../../..')
/** The files of a folder of `resources`, used as the bundled ones. */
const openFiles = (folder: string) =>
  createEmbeddedConfigFiles({
    dataDir: resolve(root, 'no-such-folder'),
    bundledDir: resolve(root, 'resources', folder),
    store: createMemoryStore(),
    clock: createFixedClock(),
    ids: systemIds,
  })
const bundled = openFiles('config')
const starter = openFiles('starter')

const readValue = async <N extends ConfigName>(files: typeof bundled, name: N) => {
  const result = await readConfig(files, name)
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return result.value
}

const defaultsOf = (name: ConfigName) => {
  const parsed = catalogue[name].parse({})
  if (!parsed.ok) throw new Error('the defaults are not valid')
  return parsed.value
}

describe('the bundled defaults', () => {
  it('contain exactly the default values, except for classes and skills, which default to none', async () => {
    const content: readonly ConfigName[] = ['classes.yaml', 'skills/attacks.yaml', 'skills/spells.yaml']
    for (const name of content) expect(Object.values(defaultsOf(name))).toEqual([{}])
    for (const name of configNames.filter((one) => !content.includes(one)))
      expect(await readValue(bundled, name)).toEqual(defaultsOf(name))
    expect(await readValue(bundled, 'groups.yaml')).toEqual({ groups: [], defaultGroups: ['player'] })
  })
})

describe('the starter files', () => {
  it('do not change the server', async () => {
    expect(await readValue(starter, 'server.yaml')).toEqual(defaultsOf('server.yaml'))
  })

  it('show every key of server.yaml with its default', async () => {
    const { text } = await starter.read('server.yaml')
    const uncommented = text
      .slice(text.indexOf('# auth:'))
      .replaceAll(/^# ?/gm, '')
      .replaceAll(/^( *)#.*$/gm, '')
    const shown = await readConfig({ read: async () => ({ text: uncommented, etag: '', source: 'data' }) }, 'server.yaml')
    expect(shown).toEqual({ ok: true, value: defaultsOf('server.yaml') })
    const keys = JSON.stringify(defaultsOf('server.yaml')).match(/"(\w+)":/g) ?? []
    for (const key of keys) expect(uncommented).toContain(`${key.slice(1, -2)}:`)
  })

  it('define player, builder and moderator, each with only fitting permissions', async () => {
    const permissions = createPermissions(await readValue(starter, 'groups.yaml'))
    expect(permissions.groupNames()).toEqual(['admin', 'player', 'builder', 'moderator'])
    expect(permissions.defaultGroups()).toEqual(['player'])
    const allowed = (group: string) =>
      [
        'world.build',
        'zone.build',
        'world.fly',
        'command.who',
        'command.world',
        'command.zone.list',
        'command.tp',
        'command.say',
        'command.kick',
        'command.why',
        'command.disable.others',
        'command.rbac.listgroups',
        'command.rbac.setgroup',
        'command.adduser',
        'command.reload',
        'command.zone.write',
        'command.save',
        'admin.users.read',
        'admin.worlds.read',
      ].filter((name) => decidePermission(permissions.rulesFor([group]), name, { verified: true, privileged: true }).allowed)
    const player = ['world.build', 'command.who', 'command.world', 'command.zone.list']
    const builder = ['world.build', 'zone.build', 'world.fly', 'command.who', 'command.world', 'command.zone.list', 'command.tp']
    expect(allowed('player')).toEqual(player)
    expect(allowed('builder')).toEqual(builder)
    expect(allowed('moderator')).toEqual([
      ...builder,
      'command.say',
      'command.kick',
      'command.why',
      'command.disable.others',
      'command.rbac.listgroups',
      'admin.worlds.read',
    ])
  })
})
