import { createFileRegistry, type DescMessage, fromBinary, fromJsonString, toBinary } from '@bufbuild/protobuf'
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

/** The content of a text frame. */
export const formatJsonMessage = (message: ServerMessage): string => JSON.stringify(ServerMessage.toJSON(message))
