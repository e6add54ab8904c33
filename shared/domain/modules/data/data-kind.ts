import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import { AppError, type Fault } from '../../../kernel/errors.ts'
import { createParser } from '../../../kernel/schema.ts'

/** The largest stored value by default, as JSON in UTF-8. `budget.recordBytesMax` of modules.yaml replaces it. */
const dataBytesMax = 65_536

/** A kind of stored value, as a module declares it. `migrate[0]` makes a value of version 2 from one of version 1, and so on. */
export type DataDeclaration = {
  readonly schema: TSchema
  /** 1 when absent. */
  readonly version?: number
  readonly migrate?: readonly ((old: never) => unknown)[]
}

/** A value as stored: with the version of the declaration that wrote it. */
export type StoredData = { readonly version: number; readonly value: unknown }

/** Calls code of a module. A host limits its time. */
export type CallModule = <T>(run: () => T) => T

export type DataReading =
  | { readonly ok: true; readonly value: unknown; readonly version: number; readonly isChanged: boolean }
  | { readonly ok: false; readonly fault: string }

/** Reads and writes the values of one declaration. */
export type DataKind = {
  readonly version: number
  /** The value before the first write: the defaults of the schema. */
  initial(): unknown
  /**
   * Reads a stored value: migrates an older one, and adds defaults. A newer one is read if it fits the schema, and keeps its version, so
   * that the newer module does not migrate it again.
   */
  read(stored: unknown): DataReading
  /** Checks a value. Throws AppError `unprocessable` for an unsuitable value, and `too-large` for a large one. */
  encode(value: unknown, version?: number): StoredData
}

const describe = (faults: readonly Fault[]): string => {
  const [first] = faults
  return first === undefined ? 'it does not fit the schema' : `${first.pointer || 'the value'} ${first.message}`
}

/** Whether a value from the store has the form that modules write. */
export const isStoredData = (stored: unknown): stored is StoredData =>
  typeof stored === 'object' &&
  stored !== null &&
  'value' in stored &&
  'version' in stored &&
  Number.isSafeInteger(stored.version) &&
  Number(stored.version) >= 1

/** Throws AppError `too-large` if the JSON of a value is larger than `bytesMax`, and `unprocessable` if it has none. */
export const refuseLargeData = (value: unknown, bytesMax = dataBytesMax): void => {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new AppError('unprocessable', 'rule-broken', 'The value cannot be stored as JSON.', { cause })
  }
  if (text === undefined) throw new AppError('unprocessable', 'rule-broken', 'The value cannot be stored as JSON.')
  const bytes = Buffer.byteLength(text)
  if (bytes <= bytesMax) return
  throw new AppError('too-large', 'record-too-large', `The value has ${bytes} bytes. At most ${bytesMax} are stored.`)
}

const createInitial = (first: unknown, parse: ReturnType<typeof createParser>): (() => unknown) => {
  for (const seed of [first, {}, [], null]) {
    const result = parse(seed)
    if (result.ok) return () => structuredClone(result.value)
  }
  const result = parse({})
  const missing = result.ok ? [] : result.faults
  throw new AppError(
    'unprocessable',
    'rule-broken',
    `needs a default, because it begins without a value: ${describe(missing)}. Add \`{ default: … }\` to the schema, or make it Type.Optional.`,
  )
}

export type CompileOptions = {
  readonly call?: CallModule
  readonly needsInitial?: boolean
  /** The largest stored value, in bytes. */
  readonly bytesMax?: () => number
}

/**
 * Compiles a declaration. Throws AppError `unprocessable` if its version is invalid, or if it has more migrations than versions.
 * `needsInitial` also refuses a schema without a first value.
 */
export const compileData = (
  { schema, version = 1, migrate = [] }: DataDeclaration,
  { call = (run) => run(), needsInitial = false, bytesMax = () => dataBytesMax }: CompileOptions = {},
): DataKind => {
  if (!Number.isSafeInteger(version) || version < 1)
    throw new AppError('unprocessable', 'rule-broken', 'version must be a whole number from 1.')
  if (migrate.length >= version && migrate.length > 0)
    throw new AppError('unprocessable', 'rule-broken', `Version ${version} has at most ${version - 1} migrations.`)
  // The parser has no place for a default of the whole value.
  const { default: first, ...bare } = schema
  const parse = createParser(bare as TSchema, 'defaults')
  const initial = needsInitial ? createInitial(first, parse) : () => undefined

  const runMigrations = (value: unknown, from: number): unknown => {
    let next = structuredClone(value)
    for (const step of migrate.slice(from - 1)) next = call(() => step(next as never))
    return next
  }

  return {
    version,
    initial,
    read: (stored) => {
      if (!isStoredData(stored)) return { ok: false, fault: 'it has no version' }
      let migrated: unknown
      try {
        migrated = runMigrations(stored.value, stored.version)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return { ok: false, fault: `the migration from version ${stored.version} failed: ${why}` }
      }
      const result = parse(migrated)
      if (!result.ok) return { ok: false, fault: `version ${stored.version} does not fit: ${describe(result.faults)}` }
      return {
        ok: true,
        value: result.value,
        version: Math.max(version, stored.version),
        isChanged: !isDeepStrictEqual(result.value, stored.value),
      }
    },
    encode: (value, storedVersion = version) => {
      refuseLargeData(value, bytesMax())
      const plain: unknown = JSON.parse(JSON.stringify(value))
      const result = parse(plain)
      if (!result.ok)
        throw new AppError('unprocessable', 'rule-broken', `The value does not fit: ${describe(result.faults)}.`, {
          errors: result.faults,
        })
      return { version: Math.max(version, storedVersion), value: result.value }
    },
  }
}
