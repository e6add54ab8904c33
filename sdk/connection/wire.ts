import type { NotGatehouseError, ProblemError } from '../errors.ts'
import { describeFailure, readRefusal } from '../http/ask.ts'
import type { Timers } from '../timers.ts'
import type { Socket, UpgradeAnswer } from './socket.ts'

/** How a socket ended: its close code, the error on this side, and the answer instead of the upgrade. */
export type WireEnd = {
  readonly code: number
  readonly reason: string
  readonly error?: Error
  /** Only with the WebSocket of `ws`. */
  readonly refusal?: ProblemError | NotGatehouseError
}

export type WireOptions = {
  /** Base address, for messages. */
  readonly url: string
  /** Opens the socket. */
  readonly open: () => Socket
  readonly timers: Timers
  readonly onOpen: () => void
  readonly onData: (data: unknown) => void
  /** Sends a silent server a message that it must answer. */
  readonly ask?: () => void
  /** Called once, and nothing after it. */
  readonly onEnd: (end: WireEnd) => void
}

/** One socket, which is dropped when its server falls silent. */
export type Wire = {
  send(data: Uint8Array | string): void
  /** The server has accepted the connection: from now on it may be silent for a while. */
  settle(): void
  /** Drops it without a message to the server, like a lost network. */
  drop(error?: Error): void
}

const isOpen = 1
/** How long a server may take to accept a connection, and a silent one to answer. */
const answerMs = 15_000
/** After so much silence the server must answer a question. */
const silenceMs = 15_000
const lostCode = 1006
const refusalBytesMax = 65_536

const readText = async (answer: UpgradeAnswer): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of answer) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > refusalBytesMax) break
  }
  return text
}

export const openWire = ({ url, open, timers, onOpen, onData, ask, onEnd }: WireOptions): Wire => {
  let failure: Error | undefined
  let refusal: WireEnd['refusal']
  let isOver = false
  let heardAt = timers.now()
  let stopTimer = (): void => undefined

  const end = (code: number, reason: string): void => {
    if (isOver) return
    isOver = true
    stopTimer()
    onEnd({ code, reason, ...(failure && { error: failure }), ...(refusal && { refusal }) })
  }
  const drop = (error?: Error): void => {
    failure ??= error
    end(lostCode, '')
    if (socket.terminate) socket.terminate()
    else socket.close()
  }
  const giveUp = (): void => drop(describeFailure(url, undefined, 'timeout'))
  const leftMs = (): number => {
    // The clock may have been set back.
    heardAt = Math.min(heardAt, timers.now())
    return heardAt + silenceMs - timers.now()
  }
  const watch = (): void => {
    stopTimer = timers.after(leftMs(), () => {
      if (leftMs() > 0) return watch()
      ask?.()
      stopTimer = timers.after(answerMs, () => (leftMs() > 0 ? watch() : giveUp()))
    })
  }
  const refuse = async (answer: UpgradeAnswer): Promise<void> => {
    const { statusCode: status = 0, headers } = answer
    const text = await readText(answer).catch(() => '')
    refusal = readRefusal(url, { status, text, header: (name) => headers[name]?.toString() })
    drop(refusal)
  }

  const socket = open()
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('open', onOpen)
  socket.addEventListener('message', ({ data }) => {
    if (isOver) return
    heardAt = timers.now()
    onData(data)
  })
  socket.addEventListener('error', (event) => {
    const cause = typeof event === 'object' && event !== null && 'error' in event ? event.error : undefined
    failure ??= describeFailure(url, cause)
  })
  socket.addEventListener('close', ({ code, reason }) => end(code, reason))
  socket.on?.('unexpected-response', (_, answer) => void refuse(answer))
  stopTimer = timers.after(answerMs, giveUp)
  return {
    send: (data) => {
      if (!isOver && socket.readyState === isOpen) socket.send(data)
    },
    settle: () => {
      stopTimer()
      if (!isOver) watch()
    },
    drop,
  }
}
