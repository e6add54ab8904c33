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

/** Brackets, colons and commas: nine for each of the 256 blocks of EditBlocks, and some. */
const tokensMax = 3000

/** A ClientMessage from protobuf's JSON mapping; unknown fields are left out, anything that does not fit throws. */
export const parseJsonMessage = (text: string): ClientMessage => {
  if (exceedsJsonTokens(text, tokensMax)) throw new RangeError(`more than ${tokensMax} brackets, colons and commas`)
  return ClientMessage.decode(toBinary(clientMessage, fromJsonString(clientMessage, text, { ignoreUnknownFields: true })))
}

/** The text of a text frame. */
export const formatJsonMessage = (message: ServerMessage): string => JSON.stringify(ServerMessage.toJSON(message))
