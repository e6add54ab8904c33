import { readdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { acquireLease } from '../../../shared/domain/worlds/leases/acquire-lease.ts'
import type { ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { worldRecords } from '../../../shared/domain/worlds/world.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { readLeaseHolder } from '../../../shared/platform/process/lease-holder.ts'
import { createLmdbStore } from '../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import type { Child } from '../support/child.ts'
import { readProgress } from '../support/progress.ts'
import { runWorldHere } from '../support/run-world-here.ts'
import { createStage } from '../support/stage.ts'

/** So many columns that a busy machine does not finish them before a signal arrives. */
const farRadius = 30
/** The columns to each side that a second run completes. */
const radius = 6
const squareOf = (columns: number): number => (2 * columns + 1) ** 2

/** Every step starts a process. */
const withinMs = 400_000

const stage = createStage()
let dataDir: string
beforeAll(async () => {
  dataDir = await stage.createDataDir()
  await writeFile(join(dataDir, 'config', 'worldgen.yaml'), 'generator: terrain-1\n')
})
afterAll(() => stage.close())

const launch = (...args: string[]): Child => stage.launch('tools/world.ts', args, { DATA_DIR: dataDir })
const runAlone = async (...args: string[]) => {
  const child = launch(...args)
  return { exit: await child.ended, out: child.stdout(), err: child.stderr() }
}
const run = (...args: string[]) => runWorldHere({ DATA_DIR: dataDir }, ...args)

/** Opens the data folder in this process, while no other process writes in it. */
const withWorld = async <T>(
  name: string,
  work: (chunks: ChunkStore, world: WorldRef, fence: number) => Promise<T>,
): Promise<T> => {
  const store = createLmdbStore({ path: join(dataDir, 'records'), ids: systemIds })
  const chunks = createLmdbChunkStore({ path: join(dataDir, 'worlds') })
  const id = (await store.get(worldRecords, name))?.value.id ?? ''
  const lease = await acquireLease({
    store,
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    worldName: name,
    lockPath: join(dataDir, 'worlds', `${name}.lease`),
    holder: await readLeaseHolder(dataDir),
  })
  try {
    return await work(chunks, { name, id }, lease.fence)
  } finally {
    await lease.release()
    await chunks.close()
    await store.close()
  }
}
const readAll = (name: string): Promise<Map<string, string>> =>
  withWorld(name, async (chunks, world) => {
    const columns = new Map<string, string>()
    for await (const { cx, czs } of chunks.discovered(world))
      for (const cz of czs) columns.set(`${cx},${cz}`, Buffer.from((await chunks.get(world, { cx, cz })) ?? []).toString('hex'))
    return columns
  })

describe('npm run world', () => {
  it(
    'creates a world, and continues its columns after a kill -9 in the middle',
    async () => {
      expect(await runAlone('create', 'north', '--seed', 'hello')).toMatchObject({
        exit: 0,
        out: expect.stringContaining('Created the world north'),
      })
      const child = launch('pregen', 'north', '--radius', String(farRadius))
      await waitFor(() => readProgress(child) > 0)
      child.signal('SIGKILL')
      expect(await child.ended).toBe('SIGKILL')
      const kept = await readAll('north')
      expect(kept.size).toBeGreaterThan(0)
      expect(kept.size).toBeLessThan(squareOf(farRadius))
      const isNear = (key: string) => key.split(',').every((at) => Math.abs(Number(at)) <= radius)
      const near = [...kept.keys()].filter(isNear).length
      const { exit, out } = await runAlone('pregen', 'north', '--radius', String(radius))
      const missing = squareOf(radius) - near
      expect([exit, out]).toEqual([
        0,
        expect.stringMatching(`^Generated ${missing} columns, [\\d,]+ columns a second. ${near} existed already`),
      ])
      expect((await readAll('north')).size).toBe(kept.size + missing)
    },
    withinMs,
  )

  it(
    'stops at Ctrl-C, keeps the finished columns, and continues from there',
    async () => {
      const child = launch('pregen', 'north', '--radius', String(farRadius))
      await waitFor(() => readProgress(child) >= 1000)
      child.signal('SIGINT')
      expect(await child.ended).toBe(130)
      expect(child.stdout()).toMatch(/^Stopped after \d+ columns?.*They are kept/)
      expect(child.stderr()).not.toMatch(/ {4}at |Warning/)
      expect((await run('check', 'north')).exit).toBe(0)
    },
    withinMs,
  )

  it(
    'leaves generation and repair of a running world to its node, and reads it',
    async () => {
      const server = await stage.start({ DATA_DIR: dataDir, GAME_WORLD_NAME: 'north' })
      const holder = expect.stringContaining(`${hostname()}, process`)
      expect(await runAlone('pregen', 'north', '--radius', '16')).toMatchObject({
        exit: 0,
        err: expect.stringMatching(/^Job \S+ of the running server: /),
      })
      expect(await run('check', 'north', '--repair')).toMatchObject({ exit: 2, err: holder })
      expect((await run('check', 'north')).exit).toBe(0)
      expect((await run('export', 'north', join(dataDir, 'live.world'))).exit).toBe(0)
      expect((await run('create', 'other')).exit).toBe(0)
      expect((await run('pregen', 'other', '--radius', '1')).exit).toBe(0)
      server.signal('SIGTERM')
      await server.ended
    },
    withinMs,
  )

  it(
    'reports every fault in one line, without a stack',
    async () => {
      expect(await runAlone('pregen', 'nowhere', '--radius', '1')).toEqual({
        exit: 2,
        out: '',
        err: 'There is no world with that name.\n',
      })
      expect(await runAlone('dance')).toMatchObject({ exit: 1, err: expect.stringContaining('npm run world -- create NAME') })
      const child = stage.launch('tools/world.ts', ['list'], { DATA_DIR: dataDir, LOG_LEVEL: 'loud' })
      expect([await child.ended, child.stderr()]).toEqual([2, expect.stringContaining('LOG_LEVEL')])
      expect((await readdir(dataDir)).filter((name) => name.endsWith('.part'))).toEqual([])
    },
    withinMs,
  )
})
