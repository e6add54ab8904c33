import { ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'
import type { ServerMessageKind } from '../../realtime/protocol/messages.ts'

/** The header and the payload of the WebSocket frame that begins at `at`, in bytes. */
const lengthsOf = (bytes: Uint8Array, at: number): { readonly header: number; readonly payload: number } => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at)
  const short = view.getUint8(1)
  if (short < 126) return { header: 2, payload: short }
  return short === 126 ? { header: 4, payload: view.getUint16(2) } : { header: 10, payload: Number(view.getBigUint64(2)) }
}

/** The messages in the binary frames that the server wrote. */
export const readFrames = (bytes: Uint8Array): readonly ServerMessageKind[] => {
  const messages: ServerMessageKind[] = []
  for (let at = 0; at < bytes.length; ) {
    const { header, payload } = lengthsOf(bytes, at)
    const { kind } = ServerMessage.decode(bytes.subarray(at + header, at + header + payload))
    if (kind !== undefined) messages.push(kind)
    at += header + payload
  }
  return messages
}
