import type { Static, TSchema } from '@sinclair/typebox'
import { AppError } from '../../kernel/errors.ts'
import { createParser } from '../../kernel/schema.ts'

/** A named kind of record, with a parser for stored values. Ids are 1 to 512 bytes of UTF-8. */
export type Collection<T> = {
  readonly name: string
  readonly parse: (stored: unknown) => T
}

/** Changes with every write, even if the value is an earlier one or the record was deleted. Compare it for equality only. */
export type Version = string

export type StoredRecord<T> = {
  readonly id: string
  readonly version: Version
  readonly value: T
}

/** The condition of a write: none if absent, exactly that version, or no record if `null`. */
export type Precondition = { readonly ifVersion?: Version | null }

export type Write = Precondition & {
  readonly collection: string
  readonly id: string
} & ({ readonly kind: 'put'; readonly value: unknown } | { readonly kind: 'delete' } | { readonly kind: 'check' })

export type ListOptions = {
  readonly prefix?: string
  /** 1 to 1,000; 100 when absent. */
  readonly limit?: number
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string
  /** By the UTF-8 bytes of the id; ascending when absent. */
  readonly order?: 'ascending' | 'descending'
}

export type Page<T> = {
  readonly records: readonly StoredRecord<T>[]
  readonly nextCursor?: string
}

/**
 * Typed records by collection and id. Writes are durable when they resolve. Concurrent writes run in any order. Throws AppError
 * `conflict` if a precondition is not met, and `unavailable` if the store is out of reach.
 */
export type Store = {
  get<T>(collection: Collection<T>, id: string): Promise<StoredRecord<T> | undefined>
  put<T>(collection: Collection<T>, id: string, value: T, precondition?: Precondition): Promise<Version>
  /** Returns whether there was a record. */
  delete(collection: Collection<unknown>, id: string, precondition?: Precondition): Promise<boolean>
  list<T>(collection: Collection<T>, options?: ListOptions): Promise<Page<T>>
  /** Makes 1 to 10 writes of distinct records, all or nothing. Returns the new versions, `null` for a delete or a check. */
  commit(writes: readonly Write[]): Promise<readonly (Version | null)[]>
  close(): Promise<void>
}

/** A collection that checks stored values against `schema` when it reads them. An invalid value throws AppError `unavailable`. */
export const createCollection = <S extends TSchema>(name: string, schema: S): Collection<Static<S>> => {
  const parse = createParser(schema)
  return {
    name,
    parse: (stored) => {
      const result = parse(stored)
      if (result.ok) return result.value
      throw new AppError('unavailable', 'service-unavailable', 'A stored record cannot be read.', {
        cause: { collection: name, faults: result.faults },
      })
    },
  }
}

/** A typed put for `commit`. */
export const putWrite = <T>(collection: Collection<T>, id: string, value: T, precondition: Precondition = {}): Write => ({
  kind: 'put',
  collection: collection.name,
  id,
  value,
  ...precondition,
})
