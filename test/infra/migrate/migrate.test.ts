import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createPlaceOpener } from '../../../infra/migrate/open-place.ts'
import { runMigrate } from '../../../infra/migrate/run-migrate.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../support/dynamodb.ts'
import { furnishHouse } from '../../support/furnished-house.ts'
import { silentLog } from '../../support/silent-log.ts'
import { createTempDir } from '../../support/temp-dir.ts'

type Variables = Record<string, string>

const silentProgress = () => ({ advance: () => undefined, end: () => undefined })

/** A run of the command, and all that it said. */
const run = async (args: string, environment: Variables, signal = new AbortController().signal) => {
  const output = { out: '', err: '' }
  const deps = { clock: systemClock, ids: systemIds, log: silentLog }
  const exit = await runMigrate({
    ...deps,
    args: args.split(' '),
    opener: createPlaceOpener(environment, deps),
    print: (text) => {
      output.out += text
    },
    complain: (text) => {
      output.err += text
    },
    begin: silentProgress,
    signal,
    patience: { pausesMs: [10, 10] },
  })
  return { exit, ...output }
}

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

describeDynamo('npm run migrate', () => {
  let server: DynamoServer
  let house: { path: string; remove: () => Promise<void> }
  let tables: Variables
  beforeAll(async () => {
    server = await openDynamoForTests()
    house = await createTempDir()
    await furnishHouse(house.path)
  })
  afterAll(async () => {
    await house.remove()
    await server.stop()
  })
  beforeEach(async () => {
    const { target, close } = await openDynamo(server.endpoint)
    close()
    tables = { DYNAMODB_ENDPOINT: server.endpoint, DYNAMODB_TABLE_PREFIX: target.tablePrefix, DATA_DIR: house.path }
  })

  it('moves everything there and back, the source untouched', async () => {
    const before = await checksumOf(house.path)
    const moved = await run(there, tables)
    expect(moved).toMatchObject({ exit: 0, err: '' })
    expect(await checksumOf(house.path)).toEqual(before)
    const empty = await createTempDir()
    const returned = await run(back, { ...tables, DATA_DIR: join(empty.path, 'data') })
    expect(returned.exit).toBe(0)
    await empty.remove()
  })
})
