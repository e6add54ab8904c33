import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { createLmdbStore } from '../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { type Collection, createCollection, type Precondition, type Store } from '../../../../shared/platform/storage/store.ts'
import { anyCharacter } from '../../../support/any-character.ts'
import { describeDynamo, openDynamo, openDynamoForTests } from '../../../support/dynamodb/dynamodb.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'

/** The condition of a write: none, absence, the version of the nth write of the sequence, or an unknown version. */
type Condition = 'any' | 'absent' | 'unknown' | number
type Operation =
  | { readonly kind: 'get'; readonly id: string }
  | {
      readonly kind: 'commit'
      readonly writes: readonly { kind: 'put' | 'delete' | 'check'; id: string; value: unknown; condition: Condition }[]
    }
  | { readonly kind: 'put' | 'delete'; readonly id: string; readonly value: unknown; readonly condition: Condition }
  | {
      readonly kind: 'list'
      readonly prefix: string
      readonly limit: number
      readonly order: 'ascending' | 'descending'
      readonly goOn: boolean
    }

const id = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'a\u0000', 'ab', 'b', 'é', '\ud7ff', '\uffff', '😀', '\u{10ffff}') },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 4 }) },
)
const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Condition>('any') },
  { weight: 3, arbitrary: fc.constantFrom<Condition>('absent', 'unknown') },
  { weight: 4, arbitrary: fc.nat({ max: 12 }) },
)
const write = { id, value: fc.jsonValue({ maxDepth: 1 }), condition }
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant('get' as const), id }),
  fc.record({ kind: fc.constantFrom('put' as const, 'delete' as const), ...write }),
  fc.record({
    kind: fc.constant('commit' as const),
    writes: fc.array(fc.record({ kind: fc.constantFrom('put' as const, 'delete' as const, 'check' as const), ...write }), {
      maxLength: 4,
    }),
  }),
  fc.record({
    kind: fc.constant('list' as const),
    prefix: fc.oneof(fc.constant(''), id),
    limit: fc.integer({ min: 0, max: 4 }),
    order: fc.constantFrom('ascending' as const, 'descending' as const),
    goOn: fc.boolean(),
  }),
)

/** Runs operations on one store and returns the answers. Each version is the number of the write that returned it. */
const play = async (
  store: Store,
  collection: Collection<unknown>,
  operations: readonly Operation[],
): Promise<readonly unknown[]> => {
  const versions: string[] = []
  let cursor: string | undefined
  const preconditionOf = (wanted: Condition): Precondition => {
    if (wanted === 'any') return {}
    return { ifVersion: wanted === 'absent' ? null : (versions[Number(wanted)] ?? 'no such version') }
  }
  const numberOf = (version: string | null): number | null => {
    if (version === null) return null
    if (!versions.includes(version)) versions.push(version)
    return versions.indexOf(version)
  }
  const answerTo = async (operation: Operation): Promise<unknown> => {
    switch (operation.kind) {
      case 'get': {
        const record = await store.get(collection, operation.id)
        return record && { ...record, version: numberOf(record.version) }
      }
      case 'put':
        return numberOf(await store.put(collection, operation.id, operation.value, preconditionOf(operation.condition)))
      case 'delete':
        return store.delete(collection, operation.id, preconditionOf(operation.condition))
      case 'commit': {
        const writes = operation.writes.map((each) => ({
          ...each,
          collection: collection.name,
          ...preconditionOf(each.condition),
        }))
        return (await store.commit(writes)).map(numberOf)
      }
      case 'list': {
        const { prefix, limit, order, goOn } = operation
        const page = await store.list(collection, { prefix, limit, order, ...(goOn && cursor !== undefined ? { cursor } : {}) })
        cursor = page.nextCursor
        return { ...page, records: page.records.map((record) => ({ ...record, version: numberOf(record.version) })) }
      }
    }
  }
  const answers: unknown[] = []
  for (const operation of operations)
    answers.push(
      await answerTo(operation).catch((error: unknown) => {
        if (error instanceof AppError) return [error.kind, error.slug, error.publicDetail]
        throw error
      }),
    )
  return answers
}

/** Runs sequences of calls on a store in memory and on `store`, and expects the same answers. */
const expectAlike = async (store: Store, numRuns: number): Promise<void> => {
  const memory = createMemoryStore()
  let runs = 0
  const kindsSeen = new Set<unknown>()
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
      runs += 1
      const collection = createCollection(`run-${runs}`, Type.Unknown())
      const expected = await play(memory, collection, operations)
      for (const answer of expected)
        kindsSeen.add(Array.isArray(answer) && typeof answer[0] === 'string' ? answer[0] : typeof answer)
      expect(await play(store, collection, operations)).toEqual(expected)
    }),
    { seed: 20_260_102, numRuns },
  )
  expect([...kindsSeen]).toEqual(expect.arrayContaining(['conflict', 'invalid', 'object', 'boolean', 'number', 'undefined']))
}

describe('the store in memory and the one in LMDB', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let lmdb: Store
  beforeAll(async () => {
    dir = await createTempDir()
    lmdb = createLmdbStore({ path: dir.path, ids: systemIds })
  })
  afterAll(async () => {
    await lmdb.close()
    await dir.remove()
  })

  it('answer every sequence of calls alike', () => expectAlike(lmdb, 100))
})

describeDynamo('the store in memory and the one in DynamoDB', () => {
  it('answer every sequence of calls alike', async () => {
    const server = await openDynamoForTests()
    const dynamo = await openDynamo(server.endpoint)
    await expectAlike(createDynamoStore({ dynamo, ids: systemIds }), 60)
    dynamo.close()
    await server.stop()
  })
})
