import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { ChunkStore } from '../../shared/domain/worlds/store/chunk-store.ts'
import { createDynamoChunkStore } from '../../shared/domain/worlds/store/dynamodb/chunk-store-dynamodb.ts'
import { createLmdbChunkStore } from '../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { worldRecords } from '../../shared/domain/worlds/world.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import {
  createTestTarget,
  type DynamoServer,
  describeDynamo,
  openDynamo,
  openDynamoForTests,
} from '../support/dynamodb/dynamodb.ts'
import { startDynamoProxy } from '../support/dynamodb/dynamodb-proxy.ts'
import { waitFor } from '../support/time/wait-for.ts'
import type { Child, Variables } from './support/child.ts'
import { createDynamoPlace } from './support/dynamo-place.ts'
import { readProgress } from './support/progress.ts'
import { runWorldHere } from './support/run-world-here.ts'
import { createStage } from './support/stage.ts'

const stage = createStage()
const withinMs = 400_000
/** More than a batch, so that a kill leaves a partial import. */
const radius = 12
const square = (2 * radius + 1) ** 2

describeDynamo('npm run world on DynamoDB', () => {
  let dynamo: DynamoServer
  let folder: string
  let file: string
  let tables: Record<string, string>
  let sourceColumns: ReadonlyMap<string, string>

  const launchAt = (place: Variables, ...args: string[]): Child => stage.launch('tools/world.ts', args, place)
  const runAlone = async (place: Variables, ...args: string[]) => {
    const child = launchAt(place, ...args)
    return { exit: await child.ended, out: child.stdout(), err: child.stderr() }
  }
  const run = (...args: string[]) => runWorldHere(tables, ...args)

  const readColumns = async (store: Store, chunks: ChunkStore, name: string): Promise<ReadonlyMap<string, string>> => {
    const id = (await store.get(worldRecords, name))?.value.id ?? ''
    const columns = new Map<string, string>()
    for await (const { cx, czs } of chunks.discovered({ name, id }))
      for (const cz of czs)
        columns.set(`${cx},${cz}`, Buffer.from((await chunks.get({ name, id }, { cx, cz })) ?? []).toString('hex'))
    await chunks.close()
    await store.close()
    return columns
  }
  const readTables = async (name: string) => {
    const target = { ...createTestTarget(dynamo.endpoint), tablePrefix: tables.DYNAMODB_TABLE_PREFIX ?? '' }
    const client = await openDynamo(dynamo.endpoint, { target })
    const parts = { dynamo: client, ids: systemIds }
    const columns = await readColumns(createDynamoStore(parts), createDynamoChunkStore(parts), name)
    client.close()
    return columns
  }
  const readFolder = (name: string) =>
    readColumns(
      createLmdbStore({ path: join(folder, 'records'), ids: systemIds }),
      createLmdbChunkStore({ path: join(folder, 'worlds') }),
      name,
    )
  /** Signals the process when at least one batch of columns is in the table, and not all are; resolves with its end. */
  const endImport = async (name: string, signal: 'SIGKILL' | 'SIGINT'): Promise<number | string> => {
    // Through this process, so that the import does not finish while this process has no time on a busy machine.
    const proxy = await startDynamoProxy(dynamo.endpoint)
    const child = launchAt({ ...tables, DYNAMODB_ENDPOINT: proxy.endpoint }, 'import', file, name)
    await waitFor(() => readProgress(child) >= 300, undefined, 1)
    child.signal(signal)
    const end = await child.ended
    await proxy.close()
    return end
  }

  beforeAll(async () => {
    dynamo = await openDynamoForTests()
    folder = await stage.createDataDir()
    await writeFile(join(folder, 'config', 'worldgen.yaml'), 'generator: terrain-1\n')
    file = join(folder, 'north.world')
    tables = { ...(await createDynamoPlace(stage, dynamo.endpoint)), DATA_DIR: await stage.createEmptyDir() }
    const embedded = { DATA_DIR: folder }
    expect((await runWorldHere(embedded, 'create', 'north', '--seed', '7')).exit).toBe(0)
    expect((await runWorldHere(embedded, 'pregen', 'north', '--radius', String(radius))).exit).toBe(0)
    expect((await runWorldHere(embedded, 'export', 'north', file)).exit).toBe(0)
    sourceColumns = await readFolder('north')
    expect(sourceColumns.size).toBe(square)
  }, withinMs)
  afterAll(async () => {
    await stage.close()
    await dynamo?.stop()
  })

  it(
    'creates a world, generates its columns and extends them',
    async () => {
      expect((await run('create', 'flat', '--seed', 'hello')).exit).toBe(0)
      expect((await run('pregen', 'flat', '--radius', '2')).out).toMatch(/^Generated 25 columns/)
      expect((await run('pregen', 'flat', '--radius', '3')).out).toMatch(/^Generated 24 columns, .*25 existed already/)
      expect((await readTables('flat')).size).toBe(49)
      expect((await run('check', 'flat', '--repair')).exit).toBe(0)
    },
    withinMs,
  )

  it(
    'makes no world of a killed import, reports it, and completes it when it runs again',
    async () => {
      expect(await endImport('half', 'SIGKILL')).toBe('SIGKILL')
      const told = expect.stringContaining('The world "half" is being imported, or its import was interrupted')
      expect(await run('list')).toMatchObject({ exit: 0, out: expect.not.stringContaining('half'), err: told })
      expect(await run('check', 'half')).toMatchObject({ exit: 3, out: '', err: told })
      expect(await run('create', 'HALF')).toMatchObject({ exit: 2, err: told })
      const node = stage.launch('infra/local.ts', [], { ...tables, PORT: '0', GAME_WORLD_NAME: 'half' })
      expect([await node.ended, node.stderr()]).toEqual([1, told])
      expect(await runAlone(tables, 'import', file, 'half')).toMatchObject({ exit: 0, out: 'Imported 625 columns as half.\n' })
      expect(await readTables('half')).toEqual(sourceColumns)
      expect(await run('import', file, 'HALF')).toMatchObject({ exit: 2, err: expect.stringContaining('"half" already exists') })
    },
    withinMs,
  )

  it(
    'removes all data of an import that was abandoned, stopped, or of a truncated file',
    async () => {
      expect(await endImport('gone', 'SIGKILL')).toBe('SIGKILL')
      expect(await run('check', 'gone', '--repair')).toMatchObject({
        exit: 0,
        out: expect.stringContaining('Discarded the import of gone'),
      })
      expect(await endImport('gone', 'SIGINT')).toBe(130)
      const cut = join(folder, 'cut.world')
      const bytes = await readFile(file)
      await writeFile(cut, bytes.subarray(0, Math.floor(bytes.length * 0.9)))
      expect(await run('import', cut, 'gone')).toMatchObject({ exit: 2, out: '' })
      expect(await run('list')).toMatchObject({
        out: expect.not.stringContaining('gone'),
        err: expect.not.stringContaining('import'),
      })
      expect((await run('create', 'gone')).exit).toBe(0)
      expect(await run('check', 'gone')).toMatchObject({ exit: 0, out: 'All 0 columns of gone are valid.\n' })
    },
    withinMs,
  )
})
