import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { furnishFreshFolder } from '../../../../../../shared/domain/configs/texts/embedded/config-files-embedded-starter.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'

const starterDir = resolve(import.meta.dirname, '../../../../../../resources/starter')

describe('a data folder at its first start', () => {
  let temp: Awaited<ReturnType<typeof createTempDir>>
  beforeEach(async () => {
    temp = await createTempDir()
  })
  afterEach(() => temp.remove())

  const furnish = () => furnishFreshFolder(temp.path, starterDir)
  const listConfigs = () => readdir(join(temp.path, 'config'))

  it('gets the starter files unchanged, and nothing else', async () => {
    await furnish()
    expect((await listConfigs()).sort()).toEqual(['groups.yaml', 'server.yaml'])
    for (const name of await listConfigs())
      expect(await readFile(join(temp.path, 'config', name))).toEqual(await readFile(join(starterDir, name)))
    expect(await readdir(temp.path)).toEqual(['config'])
  })

  it('gets them beside foreign files', async () => {
    await mkdir(join(temp.path, 'lost+found'))
    await furnish()
    expect(await listConfigs()).toHaveLength(2)
  })

  it.each(['config', 'records', 'worlds'])('is unchanged when it contains %s: it is in use, or prepared', async (name) => {
    await mkdir(join(temp.path, name))
    await furnish()
    expect(await readdir(temp.path)).toEqual([name])
    expect(await readdir(join(temp.path, name))).toEqual([])
  })

  it('keeps edited starter files, and does not restore deleted ones', async () => {
    await furnish()
    await writeFile(join(temp.path, 'config', 'groups.yaml'), 'groups: []\n')
    await furnish()
    expect(await readFile(join(temp.path, 'config', 'groups.yaml'), 'utf8')).toBe('groups: []\n')
  })

  it('gets them once and complete when many processes start at once', async () => {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        await furnish()
        expect(await listConfigs()).toHaveLength(2)
      }),
    )
    expect(await readdir(temp.path)).toEqual(['config'])
  })

  it('is completed by the next start after an interrupted one', async () => {
    await mkdir(join(temp.path, '.config-abc'))
    await writeFile(join(temp.path, '.config-abc', 'groups.yaml'), 'half')
    await furnish()
    expect(await listConfigs()).toHaveLength(2)
    expect(await readFile(join(temp.path, 'config', 'groups.yaml'), 'utf8')).toContain('moderator')
  })
})
