import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { describeDynamo } from '../../support/dynamodb/dynamodb.ts'
import { startDynamoProxy } from '../../support/dynamodb/dynamodb-proxy.ts'
import { readHouse } from '../../support/migrate/house-contents.ts'
import { back, there, useHouse, withinMs } from '../../support/migrate/migration-fixture.ts'
import { runMigration } from '../../support/migrate/migration-run.ts'

/** Checksums of every file of a folder, except the reader tables of LMDB. */
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

describeDynamo('npm run migrate', () => {
  const { house, empty, environment } = useHouse({ radius: 2, players: 9, saves: 25 })
  const readTables = () => readHouse({ ...environment(), STORAGE: 'dynamodb', DATA_DIR: empty() })

  it(
    'moves all durable data there and back unchanged, and writes nothing at either source',
    async () => {
      const before = await checksumOf(house())
      expect(await runMigration(there, environment())).toMatchObject({ exit: 0, err: '' })
      expect(await checksumOf(house())).toEqual(before)

      const proxy = await startDynamoProxy(environment().DYNAMODB_ENDPOINT ?? '')
      const returned = { ...environment(), DYNAMODB_ENDPOINT: proxy.endpoint, DATA_DIR: join(empty(), 'data') }
      expect(await runMigration(back, returned)).toMatchObject({ exit: 0, err: '' })
      await proxy.close()
      expect(new Set(proxy.operations)).toEqual(new Set(['GetItem', 'Query', 'BatchGetItem']))

      const original = await readHouse({ DATA_DIR: house() })
      expect(original.accounts).toHaveLength(9)
      expect(original.zones).toHaveLength(3)
      expect(original.worlds).toEqual({
        Hills_2: expect.objectContaining({ history: expect.objectContaining({ count: 1 }) }),
        default: expect.objectContaining({ history: expect.objectContaining({ count: 41 }) }),
      })
      expect(await readTables()).toEqual(original)
      expect(await readHouse({ DATA_DIR: returned.DATA_DIR })).toEqual(original)
    },
    withinMs,
  )

  it(
    'moves everything after any number of stops',
    async () => {
      for (const stopAfter of [1, 4, 12, 25])
        expect(await runMigration(there, environment(), { stopAfter })).toMatchObject({
          exit: 130,
          err: 'Stopped. Run the same command to continue from here.\n',
        })
      expect((await runMigration(there, environment())).exit).toBe(0)
      const original = await readHouse({ DATA_DIR: house() })
      expect(await readTables()).toEqual(original)

      const returned = { ...environment(), DATA_DIR: join(empty(), 'data') }
      for (const stopAfter of [1, 12, 25]) expect((await runMigration(back, returned, { stopAfter })).exit).toBe(130)
      expect((await runMigration(back, returned)).exit).toBe(0)
      expect(await readHouse({ DATA_DIR: returned.DATA_DIR })).toEqual(original)
    },
    withinMs,
  )

  it('only counts with --dry-run', async () => {
    const proxy = await startDynamoProxy(environment().DYNAMODB_ENDPOINT ?? '')
    const counted = await runMigration(`${there} --dry-run`, { ...environment(), DYNAMODB_ENDPOINT: proxy.endpoint })
    expect(counted).toMatchObject({ exit: 0, err: '' })
    expect(counted.out).toMatch(/accounts +9\n(.*\n)*columns of default +25\n(.*\n)*audit entries +11\n/)
    expect(proxy.operations).toEqual([])
    await proxy.close()
  })
})
