import { createFileRegistry, fromBinary, fromJsonString, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { descriptorSetBase64 } from '../../../realtime/protocol/generated/descriptor.ts'
import { ClientMessage, ServerMessage } from '../../../realtime/protocol/generated/gatehouse.ts'

export type ClientMessageKind = NonNullable<ClientMessage['kind']>
export type ServerMessageKind = NonNullable<ServerMessage['kind']>

/** One way of writing frames. `decode` throws for what is no ServerMessage, and answers undefined for kinds of a later version. */
export type ClientFrames = {
  encode(message: ClientMessageKind): Uint8Array | string
  decode(frame: Uint8Array | string): ServerMessageKind | undefined
}

const binaryFrames: ClientFrames = {
  encode: (kind) => ClientMessage.encode({ kind }).finish(),
  decode: (frame) => ServerMessage.decode(typeof frame === 'string' ? Buffer.from(frame) : frame).kind,
}

const createTextFrames = (): ClientFrames => {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSetBase64, 'base64')))
  const description = registry.getMessage('gatehouse.v1.ServerMessage')
  if (description === undefined) throw new Error('The protocol has no ServerMessage.')
  return {
    encode: (kind) => JSON.stringify(ClientMessage.toJSON({ kind })),
    decode: (frame) => {
      const text = typeof frame === 'string' ? frame : Buffer.from(frame).toString('utf8')
      return ServerMessage.decode(toBinary(description, fromJsonString(description, text, { ignoreUnknownFields: true }))).kind
    },
  }
}

/** Frames in protobuf, or in protobuf's JSON mapping. */
export const createClientFrames = (binary: boolean): ClientFrames => (binary ? binaryFrames : createTextFrames())
