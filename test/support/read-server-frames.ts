import { createFileRegistry, fromBinary, fromJsonString, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { descriptorSetBase64 } from '../../realtime/protocol/generated/descriptor.ts'
import { ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'
import type { ServerMessageKind } from '../../realtime/protocol/messages.ts'

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSetBase64, 'base64')))

const readText = (payload: Uint8Array): ServerMessage => {
  const message = registry.getMessage('gatehouse.v1.ServerMessage')
  if (message === undefined) throw new Error('the protocol has no ServerMessage')
  return ServerMessage.decode(toBinary(message, fromJsonString(message, Buffer.from(payload).toString())))
}

/** The messages of finished frames that lie one behind the other, as a socket's other end would read them. */
export const readServerFrames = (bytes: Uint8Array): ServerMessageKind[] => {
  const messages: ServerMessageKind[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at < bytes.length; ) {
    const isText = view.getUint8(at) === 0x81
    if (!isText && view.getUint8(at) !== 0x82) throw new Error('not an unfragmented frame')
    const short = view.getUint8(at + 1)
    const header = short < 126 ? 2 : short === 126 ? 4 : 10
    const length = short < 126 ? short : short === 126 ? view.getUint16(at + 2) : Number(view.getBigUint64(at + 2))
    const payload = bytes.subarray(at + header, at + header + length)
    const { kind } = isText ? readText(payload) : ServerMessage.decode(payload)
    if (kind === undefined) throw new Error('an empty message')
    messages.push(kind)
    at += header + length
  }
  return messages
}
