import { spawnSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { ChunkStore } from '../../../../../../shared/domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../../../../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { itWhere } from '../../../../../support/needs/guard.ts'
import { type ChildScript, nextLine, startScript } from '../../../../../support/processes/child-process.ts'
import { itWithPrlimit } from '../../../../../support/processes/prlimit.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'
import { batchOf, batchWorld, readBatches } from '../../../../../support/worlds/chunk-batches.ts'

const script = join(import.meta.dirname, '../../../../../support/worlds/chunk-writer-script.ts')

describe('chunks of several processes in LMDB', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let children: ChildScript[]
  let stores: ChunkStore[]
  const open = (): ChunkStore => {
    const store = createLmdbChunkStore({ path: dir.path })
    stores.push(store)
    return store
  }
  const start = (...args: string[]): ChildScript => {
    const child = startScript(script, args)
    children.push(child)
    return child
  }

  /** Lets a child write, kills it after this many acknowledged batches, and returns everything it acknowledged. */
  const writeAndKill = async (first: number, acknowledgements: number, streams = 4): Promise<number[]> => {
    const child = start('write', dir.path, String(first), String(streams))
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

  it('keep every batch acknowledged before kill -9 completely, with matching count and bitmap', async () => {
    for (const [round, [acknowledgements, streams]] of [[1, 4] as const, [60, 1] as const, [150, 1] as const].entries()) {
      const acknowledged = await writeAndKill(round * 10_000, acknowledgements, streams)
      const store = open()
      const whole = await readBatches(store)
      expect(acknowledged.filter((n) => !whole.has(n))).toEqual([])
      await store.close()
    }
  })

  it('survive a kill of another process in the middle of its writes', async () => {
    const store = open()
    for (let round = 0; round < 2; round += 1) {
      const acknowledged = await writeAndKill(round * 10_000, 30)
      await store.putMany(batchWorld, batchOf(1_000_000 + round), 1)
      const whole = await readBatches(store)
      expect(acknowledged.filter((n) => !whole.has(n))).toEqual([])
      expect(whole.has(1_000_000 + round)).toBe(true)
    }
  })

  it('are visible to others as soon as they are acknowledged, in complete rows', async () => {
    const store = open()
    expect(await store.stats(batchWorld)).toEqual({ chunkCount: 0, sizeBytes: 0 })
    const child = start('write', dir.path, '0')
    for (let seen = 0; seen < 12; seen += 1) {
      const n = Number(await nextLine(child))
      expect(await store.has(batchWorld, { cx: n, cz: 0 })).toBe(true)
      const lengths = new Map<number, number>()
      for await (const { cx, czs } of store.discovered(batchWorld)) lengths.set(cx, czs.length)
      expect(lengths.has(n)).toBe(true)
      expect([...new Set(lengths.values())]).toEqual([batchOf(n).length])
    }
  })

  it('are unusable once a write meets pages of zeros, and stay so', async () => {
    const child = start('zeros', dir.path)
    for (let n = 0; n < 2; n += 1) expect(await nextLine(child)).toMatch(/^world-unusable: .*damaged/)
    expect(await child.ended).toBe(0)
  })

  itWithPrlimit('are refused as a whole by a full disk, stay readable, and continue when there is space', async () => {
    const child = start('fill', dir.path)
    expect(await nextLine(child)).toMatch(/^storage-full: The disk is full/)
    expect(await nextLine(child)).toMatch(/^storage-full: The disk is full/)
    expect(await nextLine(child)).toBe('storage-full,storage-full')
    const [, columns, batches] = /^columns (\d+), batches (\d+)$/.exec(await nextLine(child)) ?? []
    expect(Number(batches)).toBeGreaterThan(5)
    expect(columns).toBe(batches)
    expect([await nextLine(child), await nextLine(child), await nextLine(child)]).toEqual(['reads true', 'ok', 'ok'])
    const total = Number(await nextLine(child))
    expect(await child.ended).toBe(0)
    expect((await readBatches(open())).size).toBe(total)
  })

  const notWindows = itWhere({
    reason: 'needs limits and permissions that Windows does not have',
    isMet: process.platform !== 'win32',
    isOptional: true,
  })

  notWindows('can be opened and read when the disk is full, and refuse writes alone', async () => {
    const store = open()
    for (let n = 0; n < 10; n += 1) await store.putMany(batchWorld, batchOf(n), 1)
    await store.close()
    const child = startScript(script, ['try', dir.path], { fileBlocksMax: 40 })
    children.push(child)
    expect(await nextLine(child)).toBe('ok')
    expect(await nextLine(child)).toMatch(/^storage-full: /)
    expect(await child.ended).toBe('SIGKILL')
    expect((await readBatches(open())).size).toBe(10)
  })

  /** Reads and writes as a user who owns none of the files, and returns the results. */
  const tryAsStranger = (): string[] => {
    const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const env = { ...process.env, HOME: tmpdir() }
    const options = { ...stranger, env, encoding: 'utf8' } as const
    const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', script, 'try', join(dir.path, 'worlds')], options)
    return stdout.trim().split('\n')
  }

  notWindows('are read where they may not be written, and refused by name where they may not be read', async () => {
    const path = join(dir.path, 'worlds')
    const store = createLmdbChunkStore({ path })
    await store.putMany(batchWorld, batchOf(0), 1)
    await store.close()
    const folder = join(path, batchWorld.name)
    const files = [join(folder, 'data.mdb'), join(folder, 'lock.mdb')]
    for (const open of [dir.path, path]) await chmod(open, 0o755)
    for (const file of files) await chmod(file, 0o444)
    await chmod(folder, 0o555)
    const readOnly = expect.stringMatching(
      /^world-unusable: .* their folder is read-only\. Give the server’s user write permission/,
    )
    expect(tryAsStranger()).toEqual(['ok', readOnly])
    await chmod(folder, 0o444)
    expect(tryAsStranger()).toEqual([expect.stringMatching(/^world-unusable: /), expect.stringMatching(/^world-unusable: /)])
    await chmod(folder, 0o000)
    const closed = expect.stringMatching(
      /^world-unusable: .* their folder cannot be opened\. Give the server’s user read and write/,
    )
    expect(tryAsStranger()).toEqual([closed, closed])
    await chmod(folder, 0o777)
    for (const file of files) await chmod(file, 0o666)
    expect(tryAsStranger()).toEqual(['ok', 'ok'])
  })
})
