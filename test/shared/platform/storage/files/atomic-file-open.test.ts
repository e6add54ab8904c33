import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from '@jest/globals'
import { replaceFile } from '../../../../../shared/platform/storage/files/atomic-file.ts'
import { itWhere } from '../../../../support/needs/guard.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

const openFiles = '/proc/self/fd'
const whereTold = itWhere({
  reason: 'needs /proc, which lists open files',
  isMet: existsSync(openFiles),
  isOptional: process.platform !== 'linux',
})

describe('a file that is replaced', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  const listOpen = (): string[] =>
    readdirSync(openFiles)
      // The descriptor that read the listing itself is closed.
      .filter((fd) => existsSync(join(openFiles, fd)))
      .map((fd) => readlinkSync(join(openFiles, fd)))
      .filter((target) => target.startsWith(dir.path))

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'users.yaml')
  })
  afterEach(() => dir.remove())

  whereTold('is not left open', async () => {
    let during: string[] = []
    const duringSync = async () => {
      during = listOpen()
    }
    for (let times = 0; times < 5; times += 1) await replaceFile(path, 'new', { duringSync })
    expect(during).toHaveLength(2)
    await waitFor(() => listOpen().length === 0)
  })

  whereTold('is not left open, nor is its folder, when it cannot be replaced', async () => {
    const refusal = new Error('the audit log does not answer')
    const refuse = () => Promise.reject(refusal)
    await expect(replaceFile(path, 'new', { duringSync: refuse })).rejects.toBe(refusal)
    await expect(replaceFile(path, 'new', { beforeRename: refuse })).rejects.toBe(refusal)
    await mkdir(path)
    await writeFile(join(path, 'inside'), '')
    await expect(replaceFile(path, 'new')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(listOpen()).toEqual([])
  })
})
