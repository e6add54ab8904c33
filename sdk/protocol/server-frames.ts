import type { ClientMessageKind, ServerMessageKind } from './frames.ts'
import { ClientMessage as ClientCodec } from './generated/decode/gatehouse.ts'
import { ServerMessage as ServerCodec } from './generated/encode/gatehouse.ts'

/** The binary frame of a server message. */
export const encodeServerMessage = (kind: ServerMessageKind): Uint8Array => ServerCodec.encode({ kind }).finish()

/** The message of a client's binary frame. Throws for an invalid one. */
export const decodeClientMessage = (frame: Uint8Array): ClientMessageKind | undefined => ClientCodec.decode(frame).kind
