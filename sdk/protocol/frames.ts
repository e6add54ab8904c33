import { ServerMessage as ServerCodec } from './generated/decode/gatehouse.ts'
import { ClientMessage as ClientCodec } from './generated/encode/gatehouse.ts'
import type { ClientMessage, ServerMessage } from './generated/gatehouse.ts'
import { readPlayersFrame } from './players-frame.ts'

/** The major version of the protocol. */
export const protocolVersion = 1

export type ClientMessageKind = NonNullable<ClientMessage['kind']>
export type ServerMessageKind = NonNullable<ServerMessage['kind']>

/** The binary frame of a message. */
export const encodeClientMessage = (kind: ClientMessageKind): Uint8Array => ClientCodec.encode({ kind }).finish()

/**
 * The message of a binary frame; undefined for kinds of a later version. Throws if it is not a ServerMessage. Bytes in it are
 * views of the frame.
 */
export const decodeServerMessage = (frame: Uint8Array): ServerMessageKind | undefined => {
  const value = readPlayersFrame(frame)
  return value === undefined ? ServerCodec.decode(frame).kind : { $case: 'players', value }
}
