import { type TSchema, Type } from '@sinclair/typebox'

type RecordOptions = {
  /** A regular expression for the keys. */
  readonly keys: string
  /** Describes the record and its keys. The message about an unknown key shows this. */
  readonly description: string
  readonly entriesMax?: number
  /** Whether the record must be present, or even have entries. Otherwise it defaults to an empty record. */
  readonly required?: 'present' | 'filled'
}

/** A mapping in a config file whose keys are chosen by the author of the file. */
export const configRecord = <T extends TSchema>(entry: T, { keys, description, entriesMax, required }: RecordOptions) =>
  Type.Record(Type.String({ pattern: keys }), entry, {
    additionalProperties: false,
    description,
    ...(required === undefined && { default: {} }),
    ...(required === 'filled' && { minProperties: 1 }),
    ...(entriesMax === undefined ? {} : { maxProperties: entriesMax }),
  })
