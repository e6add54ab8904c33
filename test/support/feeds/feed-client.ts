import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import { WebSocket } from 'ws'
import { FeedEvent, FeedReply } from '../../../realtime/feeds/feed-messages.ts'
import { WorldFeedEvent } from '../../../realtime/feeds/world/world-messages.ts'
import { createParser } from '../../../shared/kernel/schema.ts'
import { openWebSocket } from '../realtime/client-frames.ts'
import { waitFor } from '../time/wait-for.ts'

export type FeedMessage = Readonly<Record<string, unknown>> & { readonly type: string }

/** An answer instead of an upgrade. */
export type FeedRefusal = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

export type FeedHead = {
  readonly token?: string
  readonly protocols?: readonly string[]
  readonly headers?: Record<string, string>
}

const parseMessage = createParser(Type.Union([FeedEvent, WorldFeedEvent, FeedReply]))

const connect = (url: string, { token, protocols = [], headers = {} }: FeedHead): WebSocket =>
  openWebSocket(url, protocols, {
    perMessageDeflate: false,
    headers: { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
  })

/** Returns the answer to an upgrade that is expected to be refused. */
export const knockAtFeed = (url: string, head: FeedHead): Promise<FeedRefusal> =>
  new Promise((resolve, reject) => {
    const socket = connect(url, head)
    socket.on('error', reject)
    socket.on('open', () => {
      socket.terminate()
      reject(new Error('the upgrade was taken'))
    })
    socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text === '' ? {} : JSON.parse(text) })
        socket.on('error', () => {})
        socket.terminate()
      })
    })
  })

/** A client of a zone's feed that keeps every message and validates it by its schema. */
export const openFeedClient = async (url: string, head: FeedHead) => {
  const socket = connect(url, head)
  const received: FeedMessage[] = []
  let taken = 0
  let end: { code: number; reason: string } | undefined
  let failure: Error | undefined
  socket.on('error', (error) => {
    failure = error
  })
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) throw new Error('a feed sent a binary frame')
    const message = JSON.parse(data.toString())
    const parsed = parseMessage(message)
    if (!parsed.ok) throw new Error(`invalid message of a feed: ${data.subarray(0, 200)}`)
    received.push(message)
  })
  socket.on('close', (code, reason) => {
    end = { code, reason: reason.toString() }
  })
  await waitFor(() => socket.readyState !== WebSocket.CONNECTING)
  if (failure !== undefined) throw failure

  const client = {
    socket,
    received,
    sendRaw: (data: string | Uint8Array): void => socket.send(data),
    send: (message: unknown): void => socket.send(JSON.stringify(message)),
    /** Each edit is x, y, z and a type, by default stone. */
    edit: (ref: number, blocks: readonly (readonly [number, number, number, string?])[], more: object = {}): void =>
      client.send({ type: 'edit', ref, edits: blocks.map(([x, y, z, type = 'stone']) => ({ x, y, z, type })), ...more }),
    /** Returns the next message of that type, and drops those before it. */
    next: async (type: string): Promise<FeedMessage> => {
      const find = () => received.findIndex((message, i) => i >= taken && message.type === type)
      await waitFor(() => find() >= 0)
      taken = find() + 1
      return received[taken - 1] ?? { type }
    },
    result: async (ref: number): Promise<FeedMessage> => {
      const find = () => received.find((message) => message.type === 'result' && message.ref === ref)
      await waitFor(() => find() !== undefined)
      return find() ?? { type: 'result' }
    },
    all: (type: string): readonly FeedMessage[] => received.filter((message) => message.type === type),
    lastSeq: (): number => received.reduce((last, { seq }) => (typeof seq === 'number' ? seq : last), -1),
    isOpen: () => end === undefined,
    closed: async () => {
      await waitFor(() => end !== undefined)
      return end ?? { code: 0, reason: '' }
    },
    terminate: () => socket.terminate(),
  }
  return client
}

export type FeedClient = Awaited<ReturnType<typeof openFeedClient>>
