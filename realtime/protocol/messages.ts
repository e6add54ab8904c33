import { BinaryReader } from '@bufbuild/protobuf/wire'
import { ClientMessage, ServerMessage } from './generated/gatehouse.ts'
import { formatJsonMessage, locateFault, parseJsonMessage } from './json-frames.ts'

/** The major version of the protocol. */
export const protocolVersion = 1

/** The kind of frames that a client sends and receives. */
export type FrameKind = 'binary' | 'text'

export type ClientMessageKind = NonNullable<ClientMessage['kind']>
export type ServerMessageKind = NonNullable<ServerMessage['kind']>

/** The content of a message of one kind. */
export type ClientMessageOf<C extends ClientMessageKind['$case']> = Extract<ClientMessageKind, { $case: C }>['value']

export type ServerMessageOf<C extends ServerMessageKind['$case']> = Extract<ServerMessageKind, { $case: C }>['value']

export type DecodedFrame =
  | { readonly ok: true; readonly message: ClientMessageKind }
  | {
      readonly ok: false
      readonly code: 'invalid-message' | 'unknown-message'
      readonly detail: string
      /** Of a text frame: the `seq` of its message and the path of the first invalid field. */
      readonly seq?: number
      readonly field?: string
    }

const decodeBinary = (frame: Uint8Array): ClientMessage => {
  const reader = new BinaryReader(frame)
  const message = ClientMessage.decode(reader)
  if (reader.pos !== reader.len) throw new RangeError('bytes after the message')
  return message
}

const refuse = (code: 'invalid-message' | 'unknown-message', detail: string): DecodedFrame => ({ ok: false, code, detail })

/** Parses one frame and never throws. Numbers may be NaN or infinite. */
export const decodeClientFrame = (data: Uint8Array, kind: FrameKind): DecodedFrame => {
  try {
    const { kind: message } =
      kind === 'binary' ? decodeBinary(data) : parseJsonMessage(Buffer.from(data.buffer, data.byteOffset, data.length).toString())
    if (message === undefined) return refuse('unknown-message', 'The frame has no message that this server knows.')
    return { ok: true, message }
  } catch {
    if (kind === 'binary') return refuse('invalid-message', 'The frame is not a ClientMessage as protobuf.')
    const { seq, field } = locateFault(Buffer.from(data.buffer, data.byteOffset, data.length).toString())
    const what =
      field === undefined ? "The frame is not a ClientMessage as JSON in protobuf's mapping." : `The field ${field} is invalid.`
    return { ...refuse('invalid-message', what), ...(seq !== undefined && { seq }), ...(field !== undefined && { field }) }
  }
}

/** The payload of a frame of that kind. */
export const encodeServerMessage = (message: ServerMessageKind, kind: FrameKind): Uint8Array =>
  kind === 'binary' ? ServerMessage.encode({ kind: message }).finish() : Buffer.from(formatJsonMessage({ kind: message }))

/**
 * The fate of a frame.
 * - written: the system has it, and its memory may be reused
 * - waiting: it waits in its memory
 * - left-out: it was not sent
 */
export type FrameFate = 'written' | 'waiting' | 'left-out'

/** The destination of a viewer's frames. */
export type FrameSink = {
  readonly kind: FrameKind
  /** Sends one or more whole WebSocket frames that must arrive. */
  sendFrame(frame: Uint8Array): FrameFate
  /** Sends a frame of movement. It is left out if too much is waiting already. */
  sendMovement(frame: Uint8Array): FrameFate
  /** Whether movement would be left out. */
  isCongested(): boolean
  /** The number of bytes of less urgent data that may be sent now. It shrinks with the amount of waiting data. */
  spareBytes(): number
}
