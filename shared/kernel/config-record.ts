import { type TSchema, Type } from '@sinclair/typebox'

type RecordOptions = {
  /** A regular expression for its keys. */
  readonly keys: string
  /** What the record holds and what its keys look like. The message about an unknown key shows this. */
  readonly description: string
  readonly entriesMax?: number
  /** Whether it must be there, or even hold something; absent, it is empty else. */
  readonly required?: 'present' | 'filled'
}

/** A mapping of a config file whose keys are names that its writer chooses. */
export const configRecord = <T extends TSchema>(entry: T, { keys, description, entriesMax, required }: RecordOptions) =>
  Type.Record(Type.String({ pattern: keys }), entry, {
    additionalProperties: false,
    description,
    ...(required === undefined && { default: {} }),
    ...(required === 'filled' && { minProperties: 1 }),
    ...(entriesMax === undefined ? {} : { maxProperties: entriesMax }),
  })
