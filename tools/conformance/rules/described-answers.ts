import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Answer, headerOf, jsonOf, mediaTypeOf } from '../client/answer.ts'
import type { JsonSchema, Operation } from './api-description.ts'

/** Returns how an answer differs from its description; undefined if it does not. */
export type FindUndescribed = (operation: Operation, answer: Answer) => string | undefined

const faultOf = (validate: ValidateFunction): string => {
  const [error] = validate.errors ?? []
  const key = error?.keyword === 'additionalProperties' ? ` "${String(error.params.additionalProperty)}"` : ''
  return `${error?.instancePath ?? ''} ${error?.message ?? 'is not valid'}${key}`.trim()
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

/** The value to validate: lines of NDJSON as an array, JSON, or the text itself. */
const bodyOf = (answer: Answer, mediaType: string): unknown => {
  if (mediaType.endsWith('ndjson')) return linesOf(answer.text).map((text) => jsonOf({ text }))
  return mediaType.endsWith('json') ? jsonOf(answer) : answer.text
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema of the value: for text with structure, that of its content. */
const contentSchemaOf = (schema: JsonSchema): JsonSchema => (isSchema(schema.contentSchema) ? schema.contentSchema : schema)

/** Answers without a description: those of conditional requests. */
const isConditional = ({ status }: Answer): boolean => status === 304

/** Compiles each schema once. */
export const createFindUndescribed = (): FindUndescribed => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }))
  const compiled = new Map<JsonSchema, ValidateFunction>()

  const findBodyFault = (schema: JsonSchema, value: unknown): string | undefined => {
    const validate = compiled.get(schema) ?? ajv.compile(schema)
    compiled.set(schema, validate)
    return validate(value) ? undefined : faultOf(validate)
  }

  const findHeaderFault = (operation: Operation, answer: Answer): string | undefined => {
    const { headers = {} } = operation.responses[String(answer.status)] ?? {}
    if (headerOf(answer, 'ETag') !== undefined && headers.ETag === undefined && answer.status < 300)
      return 'the header ETag, which is not described'
    const described = Object.entries(headers).filter(([, { required }]) => required !== false)
    const required = answer.status < 300 ? described.map(([name]) => name) : []
    const absent = required.find((name) => headerOf(answer, name) === undefined)
    return absent === undefined ? undefined : `no header ${absent}`
  }

  return (operation, answer) => {
    if (isConditional(answer)) return undefined
    const described = operation.responses[String(answer.status)]
    if (described === undefined) return `${answer.status}, which is not described`
    if (answer.sent.method === 'HEAD') return undefined
    const { content } = described
    if (content === undefined) return findHeaderFault(operation, answer)
    const mediaType = mediaTypeOf(answer) ?? 'none'
    const schema = content[mediaType]?.schema
    if (schema === undefined) return `the media type ${mediaType}`
    if (headerOf(answer, 'Content-Encoding') !== undefined) return findHeaderFault(operation, answer)
    return findBodyFault(contentSchemaOf(schema), bodyOf(answer, mediaType)) ?? findHeaderFault(operation, answer)
  }
}
