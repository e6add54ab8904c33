import { GatehouseError, ModuleRefusedError, NotSentError, RefusedError } from '../errors.ts'
import type { ClientMessageKind, ServerMessageKind } from '../protocol/frames.ts'
import type {
  BlockEdit,
  CommandResult,
  EditResult,
  ErrorReply,
  MessageLimits,
  ModuleReply,
  Pong,
} from '../protocol/generated/gatehouse.ts'
import type { Timers } from '../timers.ts'
import { createPending, type Pending } from './pending.ts'
import { createSendQueue, usualLimits } from './send-queue.ts'

type Waiting = { readonly signal?: AbortSignal }

type ChatOptions = Waiting & { readonly channel?: string }

/** A chat line or a command. */
type SendChat = {
  /** Runs a command, as `command` does. */
  (text: `/${string}`, options?: ChatOptions): Promise<CommandResult>
  /**
   * Sends a chat line. A line has no answer of its own, so a Ping follows it: this resolves with undefined after the Pong, when
   * the line has been sent. Rejects with RefusedError if the server refuses the line. A line that begins with "/" is a command,
   * and resolves with its result.
   */
  (text: string, options?: ChatOptions): Promise<CommandResult | undefined>
}

/**
 * Requests with an answer. They wait in one queue, and are sent in order as fast as the server allows. All reject with
 * NotSentError if there is no connection or 1,000 requests wait, with ConnectionLostError if the connection is lost before the
 * answer, and with SessionEndedError once the session has ended.
 */
export type Requests = {
  /**
   * Makes all of these edits or none. Resolves once they are durable, or with the reason of a refusal. Rejects with
   * NotSentError `invalid-message` for coordinates that are not whole numbers.
   */
  edit(edits: readonly BlockEdit[], options?: Waiting): Promise<EditResult>
  /** Runs `/name args`; the answer says whether it was done. Rejects with RefusedError if the server refuses it. */
  command(text: string, options?: Waiting): Promise<CommandResult>
  readonly chat: SendChat
  /** A round trip. The answer comes after the answers to everything sent before. */
  ping(options?: Waiting): Promise<Pong>
  /**
   * Sends a message to a module of the server, and resolves with its reply: any JSON value, undefined for a message without a reply.
   * `openModule` is the same with types. Rejects with ModuleRefusedError if the module or the server refuses it.
   */
  callModule(module: string, name: string, params: unknown, options?: Waiting): Promise<unknown>
}

export type RequestLine = Requests & {
  nextSeq(): number
  /** Begins a connection with these limits. */
  begin(limits: MessageLimits | undefined): void
  /** Counts a message that was sent without a request. */
  count(message: ClientMessageKind): void
  /** Handles answers to requests, and ignores other messages. */
  receive(message: ServerMessageKind): void
  /** Rejects all requests: those without an answer with `lost`, those that wait to be sent with `notSent`. */
  rejectAll(lost: Error, notSent: Error): void
}

export type RequestsOptions = {
  /** Throws NotSentError if there is no connection, and SessionEndedError if the session has ended. */
  readonly checkOpen: () => void
  readonly send: (message: ClientMessageKind) => void
  readonly timers: Timers
}

/** Protocol errors without a number. They may belong to a chat line that was sent before the answer to its Ping. */
const chatCodes: ReadonlySet<string> = new Set(['invalid-chat', 'muted', 'busy'])

/** The server refuses more commands of one player at a time. */
const commandsMax = 4

const pingCost = 1
const chatCost = 3
const editsPerCost = 16
const moveCost = 1
/** That of a message that declares no cost. The server counts what the module declares. */
const moduleCallCost = 1
/** The server accepts no larger body. */
const moduleBodyBytesMax = 8_192
/** At least the cost of any other message. */
const otherCost = 5

type Asked = { readonly messages: readonly ClientMessageKind[]; readonly cost: number; readonly signal?: AbortSignal | undefined }

export const createRequests = ({ checkOpen, send, timers }: RequestsOptions): RequestLine => {
  const edits = createPending<EditResult>()
  const commands = createPending<CommandResult>()
  const lines = createPending<Pong>()
  const pings = createPending<Pong>()
  const calls = createPending<unknown>()
  const queue = createSendQueue(timers)
  let limits = usualLimits
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
  const ask = async <T>(pending: Pending<T>, id: number, { messages, cost, signal }: Asked): Promise<T> => {
    signal?.throwIfAborted()
    checkOpen()
    return new Promise<T>((resolve, reject) => {
      queue.add({
        cost,
        signal,
        reject,
        mayGo: () => pending !== commands || commands.count() < commandsMax,
        start: () => {
          try {
            for (const message of messages) trySend(message)
            resolve(pending.wait(id, signal))
          } catch (error) {
            reject(error)
          }
        },
      })
    })
  }
  const refuse = ({ code, message, seq: of }: ErrorReply): void => {
    const error = new RefusedError(code, message)
    if (of !== undefined) {
      edits.reject(of, error)
      commands.reject(of, error)
      calls.reject(of, error)
      return
    }
    const line = chatCodes.has(code) ? lines.oldest() : undefined
    if (line !== undefined) lines.reject(line, error)
  }
  const settleCall = ({ seq: of, ok, body, code, reason, pointer }: ModuleReply): void => {
    if (!ok) calls.reject(of, new ModuleRefusedError(code, reason, pointer))
    else calls.resolve(of, body.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(body)))
  }
  const run: Requests['command'] = (text, { signal } = {}) => {
    const id = nextSeq()
    return ask(commands, id, { messages: [{ $case: 'command', value: { seq: id, text } }], cost: limits.commandCost, signal })
  }
  const say = async (text: string, { signal, channel }: ChatOptions = {}): Promise<CommandResult | undefined> => {
    const line = text.trim()
    if (line.startsWith('/')) return run(line, signal && { signal })
    const nonce = nextSeq()
    const messages: ClientMessageKind[] = [
      { $case: 'chat', value: channel === undefined ? { text } : { text, channel } },
      { $case: 'ping', value: { nonce } },
    ]
    await ask(lines, nonce, { messages, cost: chatCost + pingCost, signal })
    return undefined
  }

  return {
    nextSeq,
    begin: (given) => {
      limits = given ?? usualLimits
      queue.begin(limits)
    },
    count: ({ $case }) => queue.spend($case === 'move' ? moveCost : otherCost),
    edit: async (wanted, { signal } = {}) => {
      const id = nextSeq()
      if (!Array.isArray(wanted)) throw new NotSentError('invalid-message', 'edit needs a list.')
      const cost = limits.editCost + Math.floor(wanted.length / editsPerCost)
      return ask(edits, id, { messages: [{ $case: 'editBlocks', value: { seq: id, edits: [...wanted] } }], cost, signal })
    },
    command: run,
    // A text that begins with "/" always gets a result.
    chat: say as SendChat,
    ping: ({ signal } = {}) => {
      const nonce = nextSeq()
      return ask(pings, nonce, { messages: [{ $case: 'ping', value: { nonce } }], cost: pingCost, signal })
    },
    callModule: async (module, name, params, { signal } = {}) => {
      const seq = nextSeq()
      const body = new TextEncoder().encode(JSON.stringify(params ?? {}))
      if (body.length > moduleBodyBytesMax)
        throw new NotSentError(
          'message-too-large',
          `The parameters have ${body.length} bytes. At most ${moduleBodyBytesMax} are sent.`,
        )
      return ask(calls, seq, {
        messages: [{ $case: 'moduleCall', value: { seq, module, name, body } }],
        cost: moduleCallCost,
        signal,
      })
    },
    receive: (message) => {
      if (message.$case === 'editResult') edits.resolve(message.value.seq, message.value)
      else if (message.$case === 'commandResult') commands.resolve(message.value.seq, message.value)
      else if (message.$case === 'moduleReply') settleCall(message.value)
      else if (message.$case === 'error') refuse(message.value)
      else if (message.$case === 'pong') {
        lines.resolve(message.value.nonce, message.value)
        pings.resolve(message.value.nonce, message.value)
      } else return
      queue.next()
    },
    rejectAll: (lost, notSent) => {
      queue.clear(notSent)
      for (const pending of [edits, commands, lines, pings, calls]) pending.rejectAll(lost)
    },
  }
}
