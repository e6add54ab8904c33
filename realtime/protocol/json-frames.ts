import {
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  fromJsonString,
  type JsonValue,
  toBinary,
} from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { exceedsJsonTokens } from '../../shared/kernel/exceeds-json-tokens.ts'
import { descriptorSetBase64 } from './generated/descriptor.ts'
import { ClientMessage, ServerMessage } from './generated/gatehouse.ts'

const describeMessage = (name: string): DescMessage => {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSetBase64, 'base64')))
  const message = registry.getMessage(name)
  if (message === undefined) throw new Error(`The protocol has no message ${name}.`)
  return message
}

const clientMessage = describeMessage('gatehouse.v1.ClientMessage')

/** Brackets, colons and commas: about nine for each of the 256 blocks of EditBlocks. */
const tokensMax = 3000

/** Parses a ClientMessage in protobuf's JSON mapping. Ignores unknown fields and throws if a value does not fit. */
export const parseJsonMessage = (text: string): ClientMessage => {
  if (exceedsJsonTokens(text, tokensMax)) throw new RangeError(`more than ${tokensMax} brackets, colons and commas`)
  return ClientMessage.decode(toBinary(clientMessage, fromJsonString(clientMessage, text, { ignoreUnknownFields: true })))
}

const isObject = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fits = (message: DescMessage, json: JsonValue): boolean => {
  try {
    fromJson(message, json, { ignoreUnknownFields: true })
    return true
  } catch {
    return false
  }
}

/** The path of the first field of `json` that does not fit. */
const findInvalidField = (message: DescMessage, json: JsonValue, path: string): string => {
  if (!isObject(json)) return path
  for (const [key, value] of Object.entries(json)) {
    const field = message.fields.find(({ jsonName, name }) => jsonName === key || name === key)
    if (field === undefined || fits(message, { [key]: value })) continue
    const at = path === '' ? field.jsonName : `${path}.${field.jsonName}`
    if (field.fieldKind === 'message') return findInvalidField(field.message, value, at)
    if (field.fieldKind !== 'list' || field.listKind !== 'message' || !Array.isArray(value)) return at
    const inner = field.message
    const index = value.findIndex((one) => !fits(inner, one))
    return index < 0 ? at : findInvalidField(inner, value[index] ?? null, `${at}[${index}]`)
  }
  return path
}

/** Says where a text frame is invalid: the `seq` of its message, and the path of the first invalid field. Never throws. */
export const locateFault = (text: string): { readonly seq?: number; readonly field?: string } => {
  if (exceedsJsonTokens(text, tokensMax)) return {}
  let json: JsonValue
  try {
    json = JSON.parse(text)
  } catch {
    return {}
  }
  const field = findInvalidField(clientMessage, json, '')
  const [content = null] = isObject(json) ? Object.values(json) : []
  const seq = isObject(content) ? content.seq : undefined
  const isSeq = typeof seq === 'number' && Number.isInteger(seq) && seq >= 0 && seq < 2 ** 32
  return { ...(isSeq && { seq }), ...(field !== '' && { field }) }
}

/** The content of a text frame. */
export const formatJsonMessage = (message: ServerMessage): string => JSON.stringify(ServerMessage.toJSON(message))
