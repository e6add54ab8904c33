import type { Static, TSchema } from '@sinclair/typebox'
import { AppError } from '../../kernel/errors.ts'
import { createParser } from '../../kernel/schema.ts'

/** A named kind of record with the parser that guards what is read back; ids are 1 to 512 bytes of UTF-8. */
export type Collection<T> = {
  readonly name: string
  readonly parse: (stored: unknown) => T
}

/** Changes with every write, even back to an earlier value or after a delete; compare for equality only. */
export type Version = string

export type StoredRecord<T> = {
  readonly id: string
  readonly version: Version
  readonly value: T
}

/** What must hold for a write to happen: nothing (absent), that very version, or `null`: that there is no record. */
export type Precondition = { readonly ifVersion?: Version | null }

export type Write = Precondition & {
  readonly collection: string
  readonly id: string
} & ({ readonly kind: 'put'; readonly value: unknown } | { readonly kind: 'delete' } | { readonly kind: 'check' })

export type ListOptions = {
  readonly prefix?: string
  /** 1 to 1,000; 100 when absent. */
  readonly limit?: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
  /** By the UTF-8 bytes of the id; ascending when absent. */
  readonly order?: 'ascending' | 'descending'
}

export type Page<T> = {
  readonly records: readonly StoredRecord<T>[]
  readonly nextCursor?: string
}

/** Typed records by collection and id. Writes are durable when they resolve; those that nobody waits for between are made in any order. A missed precondition throws AppError `conflict`, a store out of reach `unavailable`. */
export type Store = {
  get<T>(collection: Collection<T>, id: string): Promise<StoredRecord<T> | undefined>
  put<T>(collection: Collection<T>, id: string, value: T, precondition?: Precondition): Promise<Version>
  /** Whether there was a record to delete. */
  delete(collection: Collection<unknown>, id: string, precondition?: Precondition): Promise<boolean>
  list<T>(collection: Collection<T>, options?: ListOptions): Promise<Page<T>>
  /** 1 to 10 writes of distinct records, all or nothing; the new versions, one a write (`null` for a delete or a check). */
  commit(writes: readonly Write[]): Promise<readonly (Version | null)[]>
  close(): Promise<void>
}

/** A collection whose stored values are checked against `schema` when read; a value that does not fit throws AppError `unavailable`. */
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

/** A put for `commit`, typed by its collection. */
export const putWrite = <T>(collection: Collection<T>, id: string, value: T, precondition: Precondition = {}): Write => ({
  kind: 'put',
  collection: collection.name,
  id,
  value,
  ...precondition,
})
