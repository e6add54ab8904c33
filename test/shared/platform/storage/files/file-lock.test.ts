import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type HeldFileLock, holdFileLock, withFileLock } from '../../../../../shared/platform/storage/files/file-lock.ts'
import { type ChildScript, nextLine, startScript } from '../../../../support/processes/child-process.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

const script = join(import.meta.dirname, '../../../../support/storage/lock-holder-script.ts')

describe('a file lock', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  let children: ChildScript[]
  const start = (...args: string[]): ChildScript => {
    const child = startScript(script, args)
    children.push(child)
    return child
  }

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'counted')
    children = []
  })
  afterEach(async () => {
    for (const child of children) child.process.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
    await dir.remove()
  })

  it('passes on the result or error of its work, and is free afterwards', async () => {
    expect(await withFileLock(path, async () => 7)).toBe(7)
    await expect(withFileLock(path, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    expect(await withFileLock(path, async () => 8)).toBe(8)
  })

  it('runs waiters of one process one after another, in order, however many', async () => {
    const events: string[] = []
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        withFileLock(path, async () => {
          events.push(`in ${index}`)
          await access(dir.path)
          events.push(`out ${index}`)
        }),
      ),
    )
    expect(events).toEqual(Array.from({ length: 50 }, (_, index) => [`in ${index}`, `out ${index}`]).flat())
  })

  it('allows locks of different files at once', async () => {
    const inner = await withFileLock(path, () => withFileLock(`${path}-2`, async () => 'both'))
    expect(inner).toBe('both')
  })

  it('excludes other processes: three processes count without losses', async () => {
    await writeFile(path, '0')
    const counters = [start('count', path, '100'), start('count', path, '100')]
    for (let done = 0; done < 100; done += 1)
      await withFileLock(path, async () => writeFile(path, String(Number(await readFile(path, 'utf8')) + 1)))
    expect(await Promise.all(counters.map(({ ended }) => ended))).toEqual([0, 0])
    expect(await readFile(path, 'utf8')).toBe('300')
  })

  it('is not taken while another process has it, and is freed by kill -9 of the holder', async () => {
    const holder = start('hold', path)
    expect(await nextLine(holder)).toBe('held')
    let taken = false
    const waiting = withFileLock(path, async () => {
      taken = true
    })
    // The thread pool does other work, so the waiter has had its chance.
    for (let turn = 0; turn < 20; turn += 1) await access(dir.path)
    expect(taken).toBe(false)
    holder.process.kill('SIGKILL')
    await waiting
    expect(taken).toBe(true)
    expect(await holder.ended).toBe('SIGKILL')
  })

  it('throws unavailable when no lock file can be created', async () => {
    await expect(withFileLock(join(dir.path, 'absent', 'file'), async () => 1)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('a retained file lock', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let path: string
  let locks: (HeldFileLock | undefined)[]
  const hold = (of = path): HeldFileLock | undefined => {
    const lock = holdFileLock(of)
    locks.push(lock)
    return lock
  }

  beforeEach(async () => {
    dir = await createTempDir()
    path = join(dir.path, 'folder', 'kept')
    locks = []
  })
  afterEach(async () => {
    for (const lock of locks) lock?.release()
    await dir.remove()
  })

  it('has one holder at a time, also in this process, until it is released', () => {
    const first = hold()
    expect(first).toBeDefined()
    expect(hold()).toBeUndefined()
    expect(hold(`${path}-2`)).toBeDefined()
    first?.release()
    first?.release()
    expect(hold()).toBeDefined()
  })

  it('is not taken while another process has it, and is free after kill -9 of the holder', async () => {
    hold()?.release()
    const holder = startScript(script, ['hold', path])
    try {
      expect(await nextLine(holder)).toBe('held')
      expect(hold()).toBeUndefined()
    } finally {
      holder.process.kill('SIGKILL')
      await holder.ended
    }
    expect(hold()).toBeDefined()
  })

  it('throws unavailable when no lock file can be created', async () => {
    await writeFile(join(dir.path, 'file'), '')
    expect(() => holdFileLock(join(dir.path, 'file', 'kept'))).toThrow(expect.objectContaining({ kind: 'unavailable' }))
  })
})
