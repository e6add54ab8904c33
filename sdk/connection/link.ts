import { NotGatehouseError } from '../errors.ts'
import { describeFailure } from '../http/describe-failure.ts'
import { type ClientMessageKind, decodeServerMessage, encodeClientMessage, type ServerMessageKind } from '../protocol/frames.ts'
import type { Connect, Kick } from '../protocol/generated/gatehouse.ts'
import { isSoundSection } from '../protocol/sound-section.ts'
import type { Timers } from '../timers.ts'
import { type Socket, type SocketConstructor, toSocketAddress } from './socket.ts'

/** How a connection ended: its close code, the Kick that came before, and what failed on this side. */
export type LinkEnd = { readonly code: number; readonly reason: string; readonly kick?: Kick; readonly error?: Error }

export type LinkOptions = {
  /** Base address of the node. */
  readonly url: string
  readonly WebSocket: SocketConstructor
  readonly hello: Connect
  readonly timers: Timers
  readonly onMessage: (message: ServerMessageKind) => void
  /** Once, and nothing after it. */
  readonly onEnd: (end: LinkEnd) => void
}

/** One connection: Connect is sent by itself, and whatever follows is the caller's. */
export type Link = {
  send(message: ClientMessageKind): void
  /** Ends it without a word to the server, as a lost network does: the session can be resumed. */
  drop(error?: Error): void
}

const isOpen = 1
/** How long a server may take to let somebody in, and a silent one to answer. */
const answerMs = 15_000
/** A server that says nothing for so long is asked. */
const silenceMs = 15_000
const lostCode = 1006

const toBytes = (data: unknown): Uint8Array => {
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (data instanceof Uint8Array) return data
  throw new TypeError('not a binary frame')
}

/** Opens a connection. A server that falls silent, or says what is not of the protocol, ends it. */
export const openLink = ({ url, WebSocket, hello, timers, onMessage, onEnd }: LinkOptions): Link => {
  let failure: Error | undefined
  let kick: Kick | undefined
  let isOver = false
  let heardAt = timers.now()
  let stopTimer = (): void => undefined

  const end = (code: number, reason: string): void => {
    if (isOver) return
    isOver = true
    stopTimer()
    onEnd({ code, reason, ...(kick && { kick }), ...(failure && { error: failure }) })
  }
  const drop = (error?: Error): void => {
    failure ??= error
    end(lostCode, '')
    if (socket.terminate) socket.terminate()
    else socket.close()
  }
  const watch = (): void => {
    stopTimer = timers.after(silenceMs, () => {
      if (timers.now() - heardAt < silenceMs) return watch()
      send({ $case: 'ping', value: { nonce: 0 } })
      stopTimer = timers.after(answerMs, () => {
        if (timers.now() - heardAt < silenceMs) watch()
        else drop(describeFailure(url, undefined, 'timeout'))
      })
    })
  }
  const send = (message: ClientMessageKind): void => {
    if (!isOver && socket.readyState === isOpen) socket.send(encodeClientMessage(message))
  }
  const read = (data: unknown): ServerMessageKind | undefined => {
    try {
      const message = decodeServerMessage(toBytes(data))
      if (message?.$case === 'chunk' && !message.value.sections.every(isSoundSection))
        throw new RangeError('a section of a wrong size')
      return message
    } catch (cause) {
      drop(new NotGatehouseError(`${url} sent what is not of the protocol. Is it a Gatehouse server?`, { cause }))
      return undefined
    }
  }

  const socket: Socket = new WebSocket(`${toSocketAddress(url)}/realtime`)
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('open', () => send({ $case: 'connect', value: hello }))
  socket.addEventListener('message', ({ data }) => {
    if (isOver) return
    heardAt = timers.now()
    const message = read(data)
    if (message?.$case === 'welcome') {
      stopTimer()
      watch()
    }
    if (message?.$case === 'kick') kick = message.value
    if (message !== undefined) onMessage(message)
  })
  socket.addEventListener('error', (event) => {
    const cause = typeof event === 'object' && event !== null && 'error' in event ? event.error : undefined
    failure ??= describeFailure(url, cause)
  })
  socket.addEventListener('close', ({ code, reason }) => end(code, reason))
  stopTimer = timers.after(answerMs, () => drop(describeFailure(url, undefined, 'timeout')))
  return { send, drop }
}
