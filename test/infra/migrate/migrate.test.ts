import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../support/dynamodb.ts'
import { startDynamoProxy } from '../../support/dynamodb-proxy.ts'
import { furnishHouse } from '../../support/furnished-house.ts'
import { readHouse } from '../../support/house-contents.ts'
import { runMigration } from '../../support/migration-run.ts'
import { createTempDir } from '../../support/temp-dir.ts'

/** Of every file of a folder but LMDB's tables of readers. */
const checksumOf = async (folder: string): Promise<Record<string, string>> => {
  const sums: Record<string, string> = {}
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name === 'lock.mdb') continue
    const path = join(entry.parentPath, entry.name)
    sums[path] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  }
  return sums
}

const there = '--from embedded --to dynamodb'
const back = '--from dynamodb --to embedded'
const withinMs = 120_000

describeDynamo('npm run migrate', () => {
  let server: DynamoServer
  let house: { path: string; remove: () => Promise<void> }
  let empty: { path: string; remove: () => Promise<void> }
  let tables: Record<string, string>
  beforeAll(async () => {
    server = await openDynamoForTests()
    house = await createTempDir()
    await furnishHouse(house.path)
  }, withinMs)
  afterAll(async () => {
    await house.remove()
    await server.stop()
  })
  beforeEach(async () => {
    empty = await createTempDir()
    const { target, close } = await openDynamo(server.endpoint)
    close()
    tables = { DYNAMODB_ENDPOINT: server.endpoint, DYNAMODB_TABLE_PREFIX: target.tablePrefix, DATA_DIR: house.path }
  })
  afterEach(() => empty.remove())

  it(
    'brings all that lasts there and back as it was, and writes nothing at either source',
    async () => {
      const before = await checksumOf(house.path)
      expect(await runMigration(there, tables)).toMatchObject({ exit: 0, err: '' })
      expect(await checksumOf(house.path)).toEqual(before)

      const proxy = await startDynamoProxy(server.endpoint)
      const returned = { ...tables, DYNAMODB_ENDPOINT: proxy.endpoint, DATA_DIR: join(empty.path, 'data') }
      expect(await runMigration(back, returned)).toMatchObject({ exit: 0, err: '' })
      await proxy.close()
      expect(new Set(proxy.operations)).toEqual(new Set(['GetItem', 'Query', 'BatchGetItem']))

      const original = await readHouse({ DATA_DIR: house.path })
      expect(original.accounts).toHaveLength(30)
      expect(original.zones).toHaveLength(3)
      expect(Object.keys(original.worlds)).toEqual(['Hills_2', 'default'])
      expect(await readHouse({ ...tables, STORAGE: 'dynamodb', DATA_DIR: empty.path })).toEqual(original)
      expect(await readHouse({ DATA_DIR: returned.DATA_DIR })).toEqual(original)
    },
    withinMs,
  )

  it(
    'goes on where it was however often it is stopped, and never moves a part twice',
    async () => {
      const moved: string[] = []
      let runs = 0
      for (let exit = 130; exit === 130; runs += 1) {
        const run = await runMigration(there, tables, {
          stopAfter: 4,
          onProgress: (what) => {
            if (what.startsWith('Moving')) moved.push(what)
          },
        })
        exit = run.exit
        // The comparison at the end is not cut into pieces.
        if (run.steps.some(({ what }) => what.startsWith('Checking'))) break
        expect(run.err).toBe('Stopped. The same command goes on from here.\n')
      }
      expect(runs).toBeGreaterThan(3)
      const parts = moved.filter((what, at) => what !== moved[at - 1])
      expect(parts).toEqual([...new Set(parts)])
      expect((await runMigration(there, tables)).exit).toBe(0)
      expect(await readHouse({ ...tables, STORAGE: 'dynamodb', DATA_DIR: empty.path })).toEqual(
        await readHouse({ DATA_DIR: house.path }),
      )
    },
    withinMs,
  )

  it('only counts with --dry-run', async () => {
    const proxy = await startDynamoProxy(server.endpoint)
    const counted = await runMigration(`${there} --dry-run`, { ...tables, DYNAMODB_ENDPOINT: proxy.endpoint })
    expect(counted).toMatchObject({ exit: 0, err: '' })
    expect(counted.out).toMatch(/accounts +30\n(.*\n)*columns of default +169\n(.*\n)*audit entries +8\n/)
    expect(proxy.operations).toEqual([])
    await proxy.close()
  })
})
