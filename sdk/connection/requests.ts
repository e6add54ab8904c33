import { GatehouseError, NotSentError, RefusedError } from '../errors.ts'
import type { ClientMessageKind, ServerMessageKind } from '../protocol/frames.ts'
import type { BlockEdit, CommandResult, EditResult, ErrorReply, Pong } from '../protocol/generated/gatehouse.ts'
import { createPending, type Pending } from './pending.ts'

type Waiting = { readonly signal?: AbortSignal }

/**
 * Requests with an answer. All reject with NotSentError if there is no connection, with ConnectionLostError if it is lost before
 * the answer, and with SessionEndedError once the session has ended.
 */
export type Requests = {
  /**
   * Makes all of these edits or none. Resolves once they are durable, or with the reason of a refusal. Rejects with
   * NotSentError `invalid-message` for coordinates that are not whole numbers.
   */
  edit(edits: readonly BlockEdit[], options?: Waiting): Promise<EditResult>
  /** Runs `/name args`; the answer says whether it was done. Rejects with RefusedError if the server refuses it. */
  command(text: string, options?: Waiting): Promise<CommandResult>
  /**
   * Sends a chat line. A line has no answer of its own, so a Ping follows it: this resolves with the Pong, after which the line
   * has been sent. Rejects with RefusedError if the server refuses the line.
   */
  chat(text: string, options?: Waiting & { readonly channel?: string }): Promise<void>
  /** A round trip. The answer comes after the answers to everything sent before. */
  ping(options?: Waiting): Promise<Pong>
}

export type RequestLine = Requests & {
  nextSeq(): number
  /** Handles answers to requests, and ignores other messages. */
  receive(message: ServerMessageKind): void
  rejectAll(error: Error): void
}

/** Protocol errors without a number. They may belong to a chat line that was sent before the answer to its Ping. */
const chatCodes: ReadonlySet<string> = new Set(['invalid-chat', 'muted', 'busy'])

/** `send` throws NotSentError if there is no connection, and SessionEndedError if the session has ended. */
export const createRequests = (send: (message: ClientMessageKind) => void): RequestLine => {
  const edits = createPending<EditResult>()
  const commands = createPending<CommandResult>()
  const lines = createPending<Pong>()
  const pings = createPending<Pong>()
  let seq = 0
  const nextSeq = (): number => {
    seq = (seq + 1) >>> 0 || 1
    return seq
  }

  const trySend = (message: ClientMessageKind): void => {
    try {
      send(message)
    } catch (cause) {
      if (cause instanceof GatehouseError) throw cause
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new NotSentError('invalid-message', `This cannot be sent: ${why}. Nothing was sent.`, { cause })
    }
  }
  const ask = async <T>(
    pending: Pending<T>,
    id: number,
    messages: readonly ClientMessageKind[],
    signal?: AbortSignal,
  ): Promise<T> => {
    signal?.throwIfAborted()
    for (const message of messages) trySend(message)
    return pending.wait(id, signal)
  }
  const refuse = ({ code, message, seq: of }: ErrorReply): void => {
    const error = new RefusedError(code, message)
    if (of !== undefined) {
      edits.reject(of, error)
      commands.reject(of, error)
      return
    }
    const line = chatCodes.has(code) ? lines.oldest() : undefined
    if (line !== undefined) lines.reject(line, error)
  }

  return {
    nextSeq,
    edit: async (wanted, { signal } = {}) => {
      const id = nextSeq()
      if (!Array.isArray(wanted)) throw new NotSentError('invalid-message', 'edit needs a list of blocks. Nothing was sent.')
      return ask(edits, id, [{ $case: 'editBlocks', value: { seq: id, edits: [...wanted] } }], signal)
    },
    command: (text, { signal } = {}) => {
      const id = nextSeq()
      return ask(commands, id, [{ $case: 'command', value: { seq: id, text } }], signal)
    },
    chat: async (text, { signal, channel } = {}) => {
      const nonce = nextSeq()
      const line: ClientMessageKind = { $case: 'chat', value: channel === undefined ? { text } : { text, channel } }
      await ask(lines, nonce, [line, { $case: 'ping', value: { nonce } }], signal)
    },
    ping: ({ signal } = {}) => {
      const nonce = nextSeq()
      return ask(pings, nonce, [{ $case: 'ping', value: { nonce } }], signal)
    },
    receive: (message) => {
      if (message.$case === 'editResult') edits.resolve(message.value.seq, message.value)
      else if (message.$case === 'commandResult') commands.resolve(message.value.seq, message.value)
      else if (message.$case === 'error') refuse(message.value)
      else if (message.$case === 'pong') {
        lines.resolve(message.value.nonce, message.value)
        pings.resolve(message.value.nonce, message.value)
      }
    },
    rejectAll: (error) => {
      for (const pending of [edits, commands, lines, pings]) pending.rejectAll(error)
    },
  }
}
