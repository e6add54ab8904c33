import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { watchFolder } from '../../../infra/project/watch-folder.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('the watch of a folder of modules', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let names: string[]
  let end: () => void
  beforeEach(async () => {
    dir = await createTempDir()
    await mkdir(join(dir.path, 'shop'))
    await writeFile(join(dir.path, 'hello.ts'), '1')
    names = []
    end = await watchFolder(dir.path, (name) => void names.push(name))
  })
  afterEach(async () => {
    end()
    await dir.remove()
  })

  const sees = async (name: string, act: () => Promise<void>): Promise<void> => {
    names.length = 0
    await act()
    await waitFor(() => names.includes(name))
  }
  /** As editors and `sed -i` do. */
  const replace = async (path: string): Promise<void> => {
    await writeFile(`${path}.tmp`, '2')
    await rename(`${path}.tmp`, path)
  }

  it('sees a file each time that it is replaced, written and removed', async () => {
    const path = join(dir.path, 'hello.ts')
    for (const _ of [1, 2, 3]) await sees('hello.ts', () => replace(path))
    for (const _ of [1, 2]) await sees('hello.ts', () => writeFile(path, '3'))
    await sees('hello.ts', () => rm(path))
  })

  it('sees files in folders, also in new ones', async () => {
    await sees('module.ts', () => writeFile(join(dir.path, 'shop/module.ts'), '1'))
    await sees('new', () => mkdir(join(dir.path, 'new')).then(() => undefined))
    await waitFor(async () => {
      await replace(join(dir.path, 'new/module.ts'))
      return names.includes('module.ts')
    })
    end()
    names.length = 0
    await writeFile(join(dir.path, 'hello.ts'), '4')
    expect(names).toEqual([])
  })
})
