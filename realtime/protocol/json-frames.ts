import { createFileRegistry, type DescMessage, fromBinary, fromJsonString, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { descriptorSetBase64 } from './generated/descriptor.ts'
import { ClientMessage, ServerMessage } from './generated/gatehouse.ts'

const describeMessage = (name: string): DescMessage => {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSetBase64, 'base64')))
  const message = registry.getMessage(name)
  if (message === undefined) throw new Error(`The protocol has no message ${name}.`)
  return message
}

const clientMessage = describeMessage('gatehouse.v1.ClientMessage')

/** A ClientMessage from protobuf's JSON mapping; unknown fields are left out, anything that does not fit throws. */
export const parseJsonMessage = (text: string): ClientMessage =>
  ClientMessage.decode(toBinary(clientMessage, fromJsonString(clientMessage, text, { ignoreUnknownFields: true })))

/** The text of a text frame. */
export const formatJsonMessage = (message: ServerMessage): string => JSON.stringify(ServerMessage.toJSON(message))
