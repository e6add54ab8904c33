import type { TSchema } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describeFaults, describeKeyFault, pointerTo } from './describe-fault.ts'
import type { Fault } from './errors.ts'
import { withFormats } from './formats/schema-formats.ts'

/** The maximum number of faults for one value. The search then stops. */
const faultsMax = 20

const ajv = withFormats(new Ajv2020({ strict: true, verbose: true, validateSchema: false, code: { optimize: false } }))

/** The maximum length of a key in a pointer. The sender knows the rest, and escaping a mebibyte takes long. */
const keyMax = 200

const pointerToKey = (at: string, key: string): string => pointerTo(at, key.length > keyMax ? `${key.slice(0, keyMax)}…` : key)

type Explain = (value: unknown, at: string) => readonly Fault[]

/** One schema of the tree, without the schemas below it. */
type Level = {
  /** The faults of the value itself, without its contents. */
  readonly explain: Explain
  /** Finds duplicate items, in lists whose items are valid. Invalid items would be compared in depth, each with each. */
  readonly explainTwins: Explain | undefined
  readonly required: readonly string[]
  readonly describeKey: string
  /** The schema of the value under a key: undefined if any value is allowed, false if the key is not. */
  readonly schemaOf: (key: string) => TSchema | undefined | false
  readonly items: TSchema | undefined
}

const createExplain = (schema: object): Explain => {
  const validate = ajv.compile(schema)
  return (value, at) => {
    if (validate(value)) return []
    const faults = describeFaults((validate.errors ?? []).map((error) => ({ ...error, instancePath: at + error.instancePath })))
    // ajv keeps the errors, and with them the value, until the next call.
    validate.errors = null
    return faults
  }
}

/** The part of a schema that concerns the value itself. */
const ownOf = (schema: TSchema): object => {
  const {
    properties: _p,
    patternProperties: _pp,
    additionalProperties: _a,
    required: _r,
    items: _i,
    uniqueItems: _u,
    ...own
  } = schema
  return own
}

const createLevel = (schema: TSchema): Level => {
  const properties = new Map<string, TSchema>(Object.entries(schema.properties ?? {}))
  const patterns = Object.entries<TSchema>(schema.patternProperties ?? {}).map(
    ([pattern, inner]) => [new RegExp(pattern, 'u'), inner] as const,
  )
  const { additionalProperties: additional = true } = schema
  return {
    explain: createExplain(ownOf(schema)),
    explainTwins:
      schema.uniqueItems === true ? createExplain({ type: 'array', uniqueItems: true, items: schema.items }) : undefined,
    required: schema.required ?? [],
    describeKey: describeKeyFault(schema),
    schemaOf: (key) =>
      properties.get(key) ??
      patterns.find(([pattern]) => pattern.test(key))?.[1] ??
      (additional === true ? undefined : additional),
    items: typeof schema.items === 'object' ? schema.items : undefined,
  }
}

const levels = new WeakMap<TSchema, Level>()

const levelOf = (schema: TSchema): Level => {
  const cached = levels.get(schema)
  if (cached !== undefined) return cached
  const level = createLevel(schema)
  levels.set(schema, level)
  return level
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const isFull = (faults: readonly Fault[]): boolean => faults.length > faultsMax

/** The first twenty faults, with a note if there are more. */
export const firstFaults = (faults: readonly Fault[]): readonly Fault[] =>
  isFull(faults) ? [...faults.slice(0, faultsMax), { message: 'and more; only the first faults are listed' }] : faults

const collectOfKeys = (
  { required, schemaOf, describeKey }: Level,
  value: Readonly<Record<string, unknown>>,
  at: string,
  faults: Fault[],
): void => {
  for (const key of required)
    if (!Object.hasOwn(value, key)) faults.push({ pointer: pointerToKey(at, key), message: 'is required' })
  for (const key in value) {
    if (isFull(faults)) return
    const schema = schemaOf(key)
    if (schema === false) faults.push({ pointer: pointerToKey(at, key), message: describeKey })
    else if (schema !== undefined) collect(schema, value[key], pointerToKey(at, key), faults)
  }
}

const collect = (schema: TSchema, value: unknown, at: string, faults: Fault[]): void => {
  const level = levelOf(schema)
  const own = level.explain(value, at)
  // Does not search the contents of a value with a fault of its own, such as a list that is too long.
  if (own.length > 0) faults.push(...own)
  else if (Array.isArray(value)) {
    const { items, explainTwins } = level
    const before = faults.length
    for (let index = 0; items !== undefined && index < value.length && !isFull(faults); index += 1)
      collect(items, value[index], `${at}/${index}`, faults)
    if (faults.length === before) faults.push(...(explainTwins?.(value, at) ?? []))
  } else if (isRecord(value)) collectOfKeys(level, value, at, faults)
}

/**
 * The first twenty faults of `value` by `schema`, in the order of the value, with a note if there are more. Takes no longer than
 * reading the value up to there. Empty if the fault is of a keyword that concerns several levels at once.
 */
export const findFaults = (schema: TSchema, value: unknown): readonly Fault[] => {
  const faults: Fault[] = []
  collect(schema, value, '', faults)
  return firstFaults(faults)
}
