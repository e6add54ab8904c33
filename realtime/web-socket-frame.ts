import type { FrameKind } from './protocol/messages.ts'

const opcodes = { text: 0x81, binary: 0x82 } as const

/** Bytes before the payload of an unmasked, unfragmented frame (RFC 6455, section 5.2). */
export const frameHeaderLength = (payloadBytes: number): number => {
  if (payloadBytes < 126) return 2
  return payloadBytes < 65_536 ? 4 : 10
}

/** Writes the header at the start of `frame` and returns where the payload begins. */
export const writeFrameHeader = (frame: Buffer, kind: FrameKind, payloadBytes: number): number => {
  frame[0] = opcodes[kind]
  if (payloadBytes < 126) return frame.writeUInt8(payloadBytes, 1)
  frame[1] = payloadBytes < 65_536 ? 126 : 127
  if (payloadBytes < 65_536) return frame.writeUInt16BE(payloadBytes, 2)
  return frame.writeUInt32BE(payloadBytes % 2 ** 32, frame.writeUInt32BE(Math.floor(payloadBytes / 2 ** 32), 2))
}

/** A whole frame around a payload, made once for any number of clients. */
export const createFrame = (payload: Uint8Array, kind: FrameKind): Buffer => {
  const header = frameHeaderLength(payload.length)
  const frame = Buffer.allocUnsafe(header + payload.length)
  writeFrameHeader(frame, kind, payload.length)
  frame.set(payload, header)
  return frame
}
