import { ClientMessage as ClientCodec, ServerMessage as ServerCodec } from '../../realtime/protocol/generated/gatehouse.ts'
import type { ClientMessageKind, ServerMessageKind } from './frames.ts'

/** The binary frame of a server's message. */
export const encodeServerMessage = (kind: ServerMessageKind): Uint8Array => ServerCodec.encode({ kind }).finish()

/** The message of a client's binary frame; throws for what is none. */
export const decodeClientMessage = (frame: Uint8Array): ClientMessageKind | undefined => ClientCodec.decode(frame).kind
