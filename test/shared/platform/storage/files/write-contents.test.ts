import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { writeContents } from '../../../../../shared/platform/storage/files/write-contents.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

describe('file contents in parts', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  beforeEach(async () => {
    dir = await createTempDir()
  })
  afterEach(async () => {
    await dir.remove()
  })

  it.each([
    ['none', []],
    ['a few short ones', ['a', '', 'bc', ''].map((text) => Buffer.from(text))],
    ['more than the kernel takes in one call, some of them empty', Array.from({ length: 3000 }, (_, at) => Buffer.alloc(at, at))],
  ])('are written one after another: %s', async (_, parts) => {
    const path = join(dir.path, 'file')
    const fd = openSync(path, 'w')
    try {
      await writeContents(fd, parts)
    } finally {
      closeSync(fd)
    }
    expect((await readFile(path)).equals(Buffer.concat(parts))).toBe(true)
  })

  it('throw the system error when they cannot be written', async () => {
    const fd = openSync('/dev/full', 'w')
    try {
      await expect(writeContents(fd, [Buffer.alloc(2_000_000, 1)])).rejects.toMatchObject({ code: 'ENOSPC' })
    } finally {
      closeSync(fd)
    }
  })
})
