import { createFileRegistry, fromBinary, fromJsonString, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { descriptorSetBase64 } from '../../../realtime/protocol/generated/descriptor.ts'
import { ServerMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import type { FrameKind, ServerMessageKind } from '../../../realtime/protocol/messages.ts'

const lengthsOf = (bytes: Uint8Array, at: number): { header: number; payload: number } => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at)
  const short = view.getUint8(1)
  if (short < 126) return { header: 2, payload: short }
  return short === 126 ? { header: 4, payload: view.getUint16(2) } : { header: 10, payload: Number(view.getBigUint64(2)) }
}

/** Splits a buffer into its consecutive frames. */
export const splitFrames = (bytes: Uint8Array): { kind: FrameKind; payload: Uint8Array }[] => {
  const frames: { kind: FrameKind; payload: Uint8Array }[] = []
  for (let at = 0; at < bytes.length; ) {
    const { header, payload } = lengthsOf(bytes, at)
    const end = at + header + payload
    if (end > bytes.length) throw new Error(`a frame of ${payload} bytes, but only ${bytes.length - at - header} are there`)
    frames.push({ kind: bytes[at] === 0x81 ? 'text' : 'binary', payload: bytes.subarray(at + header, end) })
    at = end
  }
  return frames
}

const serverMessage = createFileRegistry(
  fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSetBase64, 'base64')),
).getMessage('gatehouse.v1.ServerMessage')

const fromText = (text: string): ServerMessage => {
  if (serverMessage === undefined) throw new Error('the protocol has no ServerMessage')
  return ServerMessage.decode(toBinary(serverMessage, fromJsonString(serverMessage, text)))
}

/** The messages in a buffer, from either kind of frame. */
export const readMessages = (bytes: Uint8Array): ServerMessageKind[] =>
  splitFrames(bytes).map(({ kind, payload }) => {
    const message = kind === 'binary' ? ServerMessage.decode(payload) : fromText(Buffer.from(payload).toString())
    if (message.kind === undefined) throw new Error('an empty message')
    return message.kind
  })
