import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { prepareLmdbFolder } from '../../../../../shared/platform/storage/lmdb/lmdb-file.ts'
import { createLmdbStore } from '../../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import type { Store } from '../../../../../shared/platform/storage/store.ts'
import { itWhere } from '../../../../support/needs/guard.ts'
import { type ChildScript, nextLine, startScript } from '../../../../support/processes/child-process.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { counters, increment } from '../../../../support/storage/counter-collection.ts'

const script = join(import.meta.dirname, '../../../../support/storage/store-writer-script.ts')

describe('an LMDB store of several processes', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let children: ChildScript[]
  let stores: Store[]
  const open = (): Store => {
    const store = createLmdbStore({ path: join(dir.path, 'records'), ids: systemIds })
    stores.push(store)
    return store
  }
  const start = (...args: string[]): ChildScript => {
    const child = startScript(script, args)
    children.push(child)
    return child
  }
  const startWriter = (mode: string, argument: string): ChildScript => start(mode, join(dir.path, 'records'), argument)

  /** The number of remaining records of each commit. */
  const partsOf = async (store: Store, label: string): Promise<Map<number, number>> => {
    const parts = new Map<number, number>()
    let cursor: string | undefined
    do {
      const page = await store.list(counters, { prefix: `${label}/`, limit: 1000, ...(cursor === undefined ? {} : { cursor }) })
      for (const { value } of page.records) parts.set(value.n, (parts.get(value.n) ?? 0) + 1)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return parts
  }

  /** Lets a child commit, kills it after `acknowledgements` acknowledgements, and returns everything it acknowledged. */
  const commitAndKill = async (label: string, acknowledgements: number): Promise<number[]> => {
    const child = startWriter('commit', label)
    const acknowledged: number[] = []
    while (acknowledged.length < acknowledgements) acknowledged.push(Number(await nextLine(child)))
    child.process.kill('SIGKILL')
    for (let line = await child.lines.next(); !line.done; line = await child.lines.next()) acknowledged.push(Number(line.value))
    expect(await child.ended).toBe('SIGKILL')
    return acknowledged
  }

  beforeEach(async () => {
    dir = await createTempDir()
    children = []
    stores = []
  })
  afterEach(async () => {
    for (const child of children) child.process.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
    await Promise.all(stores.map((store) => store.close()))
    await dir.remove()
  })

  it('loses no conditional increment when three write one record at once', async () => {
    const writers = [startWriter('count', '100'), startWriter('count', '100')]
    const store = open()
    for (let done = 0; done < 100; done += 1) await increment(store, 'shared')
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0])
    expect((await store.get(counters, 'shared'))?.value).toEqual({ n: 300 })
  })

  it('keeps every commit acknowledged before kill -9 completely', async () => {
    for (const [round, acknowledgements] of [1, 40, 150].entries()) {
      const acknowledged = await commitAndKill(`round ${round}`, acknowledgements)
      const store = open()
      const parts = await partsOf(store, `round ${round}`)
      expect([...new Set(parts.values())]).toEqual([3])
      expect(acknowledged.filter((n) => !parts.has(n))).toEqual([])
      await store.close()
    }
  })

  it('finds no damage while another process creates the folder and fills it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const folder = join(dir.path, `filled ${round}`)
      const child = start('fill', folder)
      let isFull = false
      const filling = (async () => {
        while ((await nextLine(child)) !== 'in 40');
        isFull = true
      })()
      while (!isFull) {
        prepareLmdbFolder(folder)
        await setImmediate()
      }
      await filling
      child.process.kill('SIGKILL')
      await child.ended
    }
  })

  it('survives a kill of another process in the middle of its writes', async () => {
    const store = open()
    for (let round = 0; round < 3; round += 1) {
      const acknowledged = await commitAndKill(`round ${round}`, 30)
      await increment(store, 'shared')
      const parts = await partsOf(store, `round ${round}`)
      expect([...new Set(parts.values())]).toEqual([3])
      expect(acknowledged.filter((n) => !parts.has(n))).toEqual([])
    }
    expect((await store.get(counters, 'shared'))?.value).toEqual({ n: 3 })
  })

  it('reads a write of another process at once, even in a turn with an earlier read', async () => {
    const store = open()
    const before = store.get(counters, 'shared')
    const writer = spawnSync(process.execPath, ['infra/launch.js', script, 'count', join(dir.path, 'records'), '1'])
    const after = store.get(counters, 'shared')
    expect(writer.status).toBe(0)
    expect(await before).toBeUndefined()
    expect((await after)?.value).toEqual({ n: 1 })
  })

  const withLimits = itWhere({
    reason: 'needs a limit on file size, which Windows does not have',
    isMet: process.platform !== 'win32',
    isOptional: true,
  })
  withLimits('answer unavailable when the disk takes no more, read on, and keep what was acknowledged', async () => {
    const child = startScript(script, ['fill', join(dir.path, 'records')], { fileBlocksMax: 4000 })
    children.push(child)
    let filled = -1
    let line = await nextLine(child)
    for (; line.startsWith('in '); line = await nextLine(child)) filled = Number(line.slice(3))
    expect(filled).toBeGreaterThan(0)
    expect([line, await nextLine(child)]).toEqual(['refused unavailable', 'reads 1'])
    expect(await child.ended).toBe(0)
    const store = open()
    for (let n = 0; n <= filled; n += 1)
      expect((await store.list(counters, { prefix: `${n}/`, limit: 1000 })).records).toHaveLength(100)
    await increment(store, 'shared')
  })
})
