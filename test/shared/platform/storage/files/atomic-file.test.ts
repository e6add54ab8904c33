import { spawnSync } from 'node:child_process'
import { chmod, lstat, mkdir, open, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import {
  fileVersion,
  fileVersionNow,
  openFileVersion,
  replaceFile,
} from '../../../../../shared/platform/storage/files/atomic-file.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

describe('replaceFile', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777
  /** The name of a temporary file of this machine, by the pid of its writer. */
  const tempName = async (pid: number): Promise<string> => {
    let name = ''
    await replaceFile(path, 'for its name', {
      beforeRename: async () => {
        name = (await readdir(dir.path)).find((entry) => entry.endsWith('.tmp')) ?? ''
      },
    })
    return name.replace(`.${process.pid}.`, `.${pid}.`)
  }

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'users.yaml')
  })
  afterEach(() => dir.remove())

  it('creates a file that only its owner can read', async () => {
    await replaceFile(path, 'grüße')
    expect(await readFile(path, 'utf8')).toBe('grüße')
    expect(await modeOf(path)).toBe(0o600)
    expect(await readdir(dir.path)).toEqual(['users.yaml'])
  })

  it.each([
    ['bytes', Buffer.from([0xef, 0xbb, 0xbf, 0x61])],
    ['nothing', Buffer.alloc(0)],
    ['a short text', 'ü'.repeat(200_000)],
    ['a long text', 'ü'.repeat(2_000_000)],
    ['many bytes', Buffer.alloc(3_000_000, 'abc')],
  ])('writes %s', async (_what, text) => {
    await replaceFile(path, 'old')
    await replaceFile(path, text)
    expect((await readFile(path)).equals(Buffer.from(text))).toBe(true)
  })

  it('keeps the mode of an existing file', async () => {
    await writeFile(path, 'old')
    await chmod(path, 0o664)
    await replaceFile(path, 'new')
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await modeOf(path)).toBe(0o664)
  })

  it('writes through a symbolic link and keeps the link', async () => {
    const target = join(dir.path, 'target.yaml')
    await writeFile(target, 'old')
    await symlink(target, path)
    await replaceFile(path, 'new')
    expect((await lstat(path)).isSymbolicLink()).toBe(true)
    expect(await readFile(target, 'utf8')).toBe('new')
  })

  it('follows chains of links and linked folders, and creates the target of a dangling link', async () => {
    const inner = join(dir.path, 'inner')
    await mkdir(inner)
    await symlink(inner, join(dir.path, 'folder'))
    await writeFile(join(inner, 'target.yaml'), 'old', { mode: 0o640 })
    await symlink('target.yaml', join(inner, 'one'))
    await symlink(join('folder', 'one'), path)
    await replaceFile(path, 'new')
    expect((await lstat(path)).isSymbolicLink()).toBe(true)
    expect((await lstat(join(inner, 'one'))).isSymbolicLink()).toBe(true)
    expect([await readFile(join(inner, 'target.yaml'), 'utf8'), await modeOf(join(inner, 'target.yaml'))]).toEqual(['new', 0o640])
    await replaceFile(join(dir.path, 'folder', 'target.yaml'), 'newer')
    expect((await readdir(inner)).toSorted()).toEqual(['one', 'target.yaml'])
    await symlink('nowhere', join(inner, 'lost'))
    await replaceFile(join(inner, 'lost'), 'found')
    expect(await readFile(join(inner, 'lost'), 'utf8')).toBe('found')
  })

  it('has the new text on disk beside the untouched file before the rename', async () => {
    await writeFile(path, 'old')
    const seen: string[] = []
    await replaceFile(path, 'new', {
      beforeRename: async () => {
        for (const name of (await readdir(dir.path)).sort()) seen.push(await readFile(join(dir.path, name), 'utf8'))
      },
    })
    expect(seen).toEqual(['new', 'old'])
  })

  it('throws the error of beforeRename, changes nothing and leaves nothing behind', async () => {
    await writeFile(path, 'old')
    const before = await fileVersion(path)
    const refusal = new Error('edited by hand meanwhile')
    await expect(replaceFile(path, 'new', { beforeRename: () => Promise.reject(refusal) })).rejects.toBe(refusal)
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await fileVersion(path)).toBe(before)
    expect(await readdir(dir.path)).toEqual(['users.yaml'])
  })

  it('renames only after duringSync has ended, and calls beforeRename after that', async () => {
    await writeFile(path, 'old')
    const seen: string[] = []
    await replaceFile(path, 'new', {
      duringSync: async () => {
        const temp = (await readdir(dir.path)).find((name) => name.endsWith('.tmp')) ?? ''
        seen.push(await readFile(join(dir.path, temp), 'utf8'), await readFile(path, 'utf8'))
      },
      beforeRename: () => {
        seen.push('asked')
      },
    })
    expect([...seen, await readFile(path, 'utf8')]).toEqual(['new', 'old', 'asked', 'new'])
  })

  it('throws the error of duringSync, does not call beforeRename, and changes nothing', async () => {
    await writeFile(path, 'old')
    const refusal = new Error('the audit log does not answer')
    let isCalled = false
    const beforeRename = () => {
      isCalled = true
    }
    await expect(replaceFile(path, 'new', { duringSync: () => Promise.reject(refusal), beforeRename })).rejects.toBe(refusal)
    expect(isCalled).toBe(false)
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(dir.path)).toEqual(['users.yaml'])
  })

  it('writes the text to disk before it closes the file when duringSync throws synchronously', async () => {
    const refusal = new Error('the audit log is not there')
    const duringSync = () => {
      throw refusal
    }
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => replaceFile(path, 'new', { duringSync })))
    expect(attempts.map((attempt) => attempt.status === 'rejected' && attempt.reason)).toEqual(Array(20).fill(refusal))
    // An operation on the closed file would fail as an unhandled rejection.
    await new Promise((resolve) => setImmediate(resolve))
    expect(await readdir(dir.path)).toEqual([])
  })

  it('throws unavailable when a file has replaced the folder', async () => {
    const folder = join(dir.path, 'folder')
    await mkdir(folder)
    const duringSync = async () => {
      await rm(folder, { recursive: true })
      await writeFile(folder, '')
    }
    await expect(replaceFile(join(folder, 'file'), 'new', { duringSync })).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('returns the version of the written file, through a link too', async () => {
    expect(await replaceFile(path, 'one')).toBe(await fileVersion(path))
    await symlink(path, join(dir.path, 'link'))
    const version = await replaceFile(join(dir.path, 'link'), 'two')
    expect(version).toBe(await fileVersion(path))
    expect(version).toBe(await fileVersion(join(dir.path, 'link')))
  })

  it('does not return the version of another writer', async () => {
    const texts = Array.from({ length: 20 }, (_, at) => String(at))
    const versions = await Promise.all(texts.map((text) => replaceFile(path, text)))
    const last = versions.indexOf(await fileVersion(path))
    expect(await readFile(path, 'utf8')).toBe(texts[last])
    const defined = versions.filter((version) => version !== undefined)
    expect(new Set(defined).size).toBe(defined.length)
  })

  it('throws unavailable and leaves nothing behind when the rename fails', async () => {
    await mkdir(path)
    await writeFile(join(path, 'inside'), '')
    await expect(replaceFile(path, 'new')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await readdir(dir.path)).toEqual(['users.yaml'])
  })

  it('throws unavailable, without a path in public, when the folder is missing', async () => {
    const failure = await replaceFile(join(dir.path, 'absent', 'file'), 'x').catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unavailable', publicDetail: expect.not.stringContaining(dir.path) })
  })

  it('serves concurrent writers: one complete text, nothing left', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => replaceFile(path, String(index).repeat(10_000))))
    expect(await readFile(path, 'utf8')).toMatch(/^(\d+?)\1*$/)
    expect(await readdir(dir.path)).toEqual(['users.yaml'])
  })

  it('removes the leftovers of a dead writer on this machine, and keeps those of a live one', async () => {
    const dead = await tempName(spawnSync(process.execPath, ['--version']).pid)
    const live = await tempName(process.ppid)
    await Promise.all([dead, live, '.users.yaml.notes.tmp'].map((name) => writeFile(join(dir.path, name), 'half')))
    await replaceFile(path, 'new')
    expect((await readdir(dir.path)).sort()).toEqual([live, '.users.yaml.notes.tmp', 'users.yaml'].sort())
  })

  it('replaces the text when the leftovers of a dead writer cannot be removed', async () => {
    const dead = await tempName(spawnSync(process.execPath, ['--version']).pid)
    await mkdir(join(dir.path, dead))
    await replaceFile(path, 'new')
    expect(await readFile(path, 'utf8')).toBe('new')
  })

  it('removes the leftovers of any writer after an hour', async () => {
    const names = ['.users.yaml.00000000.1.0.tmp', '.users.yaml.00000000.2.0.tmp']
    const [old = '', recent = ''] = names
    await Promise.all(names.map((name) => writeFile(join(dir.path, name), 'half')))
    const { mtime } = await stat(join(dir.path, recent))
    await utimes(join(dir.path, old), mtime, new Date(mtime.getTime() - 3_700_000))
    await replaceFile(path, 'new')
    expect((await readdir(dir.path)).sort()).toEqual([recent, 'users.yaml'])
  })
})

describe('fileVersion', () => {
  it('is undefined without a file, and changes with a replacement, any edit and a touch', async () => {
    const dir = await createTempDir()
    const path = join(dir.path, 'file')
    const seen: (string | undefined)[] = [await fileVersion(path)]
    expect(seen).toEqual([undefined])
    await replaceFile(path, 'aaaa')
    seen.push(await fileVersion(path))
    expect(await fileVersion(path)).toBe(seen.at(-1))
    await replaceFile(path, 'bbbb')
    seen.push(await fileVersion(path))
    await utimes(path, 1, 1)
    seen.push(await fileVersion(path))
    expect(new Set(seen).size).toBe(4)
    await dir.remove()
  })

  it('is the same by path, sync and by handle; an open handle keeps the version of its file', async () => {
    const dir = await createTempDir()
    const path = join(dir.path, 'file')
    expect(fileVersionNow(path)).toBeUndefined()
    await replaceFile(path, 'grüße')
    const file = await open(path)
    const { version, size } = openFileVersion(file)
    expect([version, fileVersionNow(path), size]).toEqual([await fileVersion(path), version, 7])
    await replaceFile(path, 'other')
    expect(openFileVersion(file)).not.toEqual({ version: fileVersionNow(path), size: 5 })
    expect(fileVersionNow(path)).not.toBe(version)
    await file.close()
    await dir.remove()
  })
})
