import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { type DynamoServer, openDynamo, openDynamoForTests } from '../dynamodb/dynamodb.ts'
import { createTempDir } from '../processes/temp-dir.ts'
import { furnishHouse, type HouseSize } from './furnished-house.ts'

export const there = '--from embedded --to dynamodb'
export const back = '--from dynamodb --to embedded'
/** A test reads all data four times. */
export const withinMs = 400_000

type Folder = { readonly path: string; readonly remove: () => Promise<void> }

/** A filled data folder for the suite, and empty tables and an empty folder for each test. */
export const useHouse = (size: HouseSize) => {
  let server: DynamoServer | undefined
  let house: Folder | undefined
  let empty: Folder | undefined
  let tables: Record<string, string> = {}
  let store: Store | undefined
  let close: (() => void) | undefined
  beforeAll(async () => {
    server = await openDynamoForTests()
    house = await createTempDir()
    await furnishHouse(house.path, size)
  }, withinMs)
  afterAll(async () => {
    await house?.remove()
    await server?.stop()
  })
  beforeEach(async () => {
    empty = await createTempDir()
    const dynamo = await openDynamo(server?.endpoint ?? '')
    close = dynamo.close
    store = createDynamoStore({ dynamo, ids: systemIds })
    tables = {
      DYNAMODB_ENDPOINT: dynamo.target.endpoint ?? '',
      DYNAMODB_TABLE_PREFIX: dynamo.target.tablePrefix,
      DATA_DIR: house?.path ?? '',
    }
  })
  afterEach(async () => {
    close?.()
    await empty?.remove()
  })
  const expectOpen = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the fixture is open within a test')
    return value
  }
  return {
    /** The filled data folder. */
    house: () => expectOpen(house).path,
    empty: () => expectOpen(empty).path,
    /** The environment of the data folder and of empty tables. */
    environment: () => tables,
    /** The Store in these tables. */
    tableStore: () => expectOpen(store),
  }
}
