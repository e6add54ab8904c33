import type { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { readInstantMs } from './instant.ts'

/** RFC 3339, section 5.6. */
const shape = /^\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-][0-2]\d:?[0-5]\d)$/

/** Whether the month has that day. `Date` reads February 30 as a day in March. */
const isDay = (date: string): boolean => new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(8))

const isDateTime = (text: string): boolean =>
  shape.test(text) && isDay(text.slice(0, 10)) && readInstantMs(text.toUpperCase()) !== undefined

/** Adds the formats of JSON Schema. A `date-time` must also be an instant that can be stored and read back. */
export const withFormats = (ajv: Ajv2020): Ajv2020 => addFormats.default(ajv).addFormat('date-time', isDateTime)
