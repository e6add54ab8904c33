import { spawnSync } from 'node:child_process'
import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { prepareDataFolder } from '../../../../../shared/platform/storage/files/data-folder.ts'
import { heedingModes, itHeedingModes } from '../../../../support/processes/setpriv.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

describe('the data folder', () => {
  let temp: Awaited<ReturnType<typeof createTempDir>>
  beforeEach(async () => {
    temp = await createTempDir()
  })
  afterEach(() => temp.remove())

  it('is created with its parents, and is unchanged when it exists', async () => {
    const path = join(temp.path, 'a', 'b')
    await prepareDataFolder(path)
    await writeFile(join(path, 'kept'), '')
    await prepareDataFolder(path)
    expect((await stat(join(path, 'kept'))).isFile()).toBe(true)
  })

  it.each([
    ['a file', 'file', /it is a file\. Set DATA_DIR to a folder\.$/],
    ['in a file', 'file/data', /a part of that path is a file\. Set DATA_DIR to a folder\.$/],
    ['a dangling link', 'link', /cannot be created there\. Create it/],
  ])('that is %s is refused with path, reason and fix in one line', async (_what, name, message) => {
    await writeFile(join(temp.path, 'file'), '')
    await symlink(join(temp.path, 'gone', 'gone'), join(temp.path, 'link'))
    const path = join(temp.path, name)
    const refused = await prepareDataFolder(path).catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'unavailable', publicDetail: expect.stringMatching(message) })
    expect(refused).toMatchObject({ publicDetail: expect.stringContaining(`${path} (DATA_DIR)`) })
    expect(refused).not.toMatchObject({ publicDetail: expect.stringContaining('\n') })
  })

  it.each(['config', 'records', 'worlds'])(
    'whose %s is a file is refused with path, reason and fix in one line',
    async (part) => {
      await writeFile(join(temp.path, part), '')
      await expect(prepareDataFolder(temp.path)).rejects.toMatchObject({
        kind: 'unavailable',
        publicDetail: `The folder ${join(temp.path, part)} (in DATA_DIR) cannot be used: it is a file. Move it aside, or set DATA_DIR to another folder.`,
      })
    },
  )

  it('with a link to a folder as its config is accepted', async () => {
    await mkdir(join(temp.path, 'elsewhere'))
    await symlink(join(temp.path, 'elsewhere'), join(temp.path, 'config'))
    await expect(prepareDataFolder(temp.path)).resolves.toBeUndefined()
  })

  itHeedingModes('that is read-only for its user is refused', async () => {
    const path = join(temp.path, 'closed')
    await mkdir(path)
    await chmod(path, 0o500)
    const [command = '', ...args] = [...heedingModes, process.execPath, 'infra/launch.js', 'tools/adduser.ts']
    const { status, stderr } = spawnSync(command, [...args, 'ann@example.com', 'a long password'], {
      env: { ...process.env, DATA_DIR: path },
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toContain(
      `The data folder ${path} (DATA_DIR) cannot be used: the user of this process has no write permission. Make that user its owner (chown)`,
    )
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
