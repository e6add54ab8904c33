import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import type { Store } from '../../../../../shared/platform/storage/store.ts'
import { commandNeed } from '../../../../support/needs/command.ts'
import { describeWhere } from '../../../../support/needs/guard.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { counters } from '../../../../support/storage/counter-collection.ts'
import { holdByte } from '../../../../support/storage/hold-byte.ts'

const describeLinux = describeWhere(
  { reason: 'needs Linux, with its process id namespaces', isMet: process.platform === 'linux', isOptional: true },
  commandNeed('perl'),
)

describeLinux('an LMDB store with a process of the same id in another container', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let lockPath: string
  const open = (isReadOnly = false): Store => createLmdbStore({ path: join(dir.path, 'records'), ids: systemIds, isReadOnly })

  beforeEach(async () => {
    dir = await createTempDir()
    lockPath = join(dir.path, 'records', 'lock.mdb')
    const store = open()
    await store.put(counters, 'a', { n: 1 })
    await store.close()
  })
  afterEach(() => dir.remove())

  it.each([false, true])('is refused, with the cause and the fix (to read only: %s)', async (isReadOnly) => {
    const other = await holdByte(lockPath, process.pid)
    expect(other.isHeld).toBe(true)
    try {
      expect(() => open(isReadOnly)).toThrow(
        expect.objectContaining({
          kind: 'unavailable',
          publicDetail: expect.stringMatching(
            new RegExp(`process id ${process.pid}.*another container.*--pid=container:.*shareProcessNamespace`, 's'),
          ),
        }),
      )
    } finally {
      await other.release()
    }
    const store = open(isReadOnly)
    expect((await store.get(counters, 'a'))?.value).toEqual({ n: 1 })
    await store.close()
  })

  it('is opened when that process has another id', async () => {
    const other = await holdByte(lockPath, process.pid + 1)
    const store = open()
    expect((await store.get(counters, 'a'))?.value).toEqual({ n: 1 })
    await store.close()
    await other.release()
  })

  it('reserves the id when it is opened, also when this process opens it again', async () => {
    const store = open()
    const again = open()
    const other = await holdByte(lockPath, process.pid)
    expect(other.isHeld).toBe(false)
    await other.release()
    expect((await again.get(counters, 'a'))?.value).toEqual({ n: 1 })
    await again.close()
    await store.close()
  })
})
