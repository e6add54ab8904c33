import { WebSocket } from 'ws'
import { ClientMessage } from '../../../realtime/protocol/generated/gatehouse.ts'

/** Sockets that stay open between inputs: one per purpose, because a second one of the same account would displace it. */
export type SocketPool = {
  /**
   * Sends `data` on a socket of `purpose`; resolves to `open`, or to `closed` with the code. Throws if the server does not answer
   * within `withinMs`.
   */
  exchange(purpose: Purpose, data: Buffer, isBinary: boolean, withinMs?: number): Promise<string>
  close(): void
}

export type Purpose = {
  readonly name: string
  readonly path: string
  /** The token for Connect, or for the header of a feed. */
  readonly token: string | undefined
}

const aliveMsMax = 20_000

const isFeed = ({ path }: Purpose): boolean => path !== '/realtime'

const open = async (url: string, purpose: Purpose): Promise<WebSocket> => {
  const headers = isFeed(purpose) && purpose.token !== undefined ? { Authorization: `Bearer ${purpose.token}` } : {}
  const socket = new WebSocket(url.replace('http', 'ws') + purpose.path, { perMessageDeflate: false, headers })
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, response) => {
      socket.terminate()
      reject(new Error(`the upgrade was answered ${response.statusCode}`))
    })
    socket.once('close', () => reject(new Error('the upgrade was not answered')))
  })
  if (isFeed(purpose) || purpose.token === undefined) return socket
  const value = { token: purpose.token, protocolVersion: 1, clientName: 'fuzz' }
  socket.send(ClientMessage.encode({ kind: { $case: 'connect', value } }).finish())
  return socket
}

/** Resolves when the server has answered a ping after all other messages, or has closed the socket. */
const settle = (socket: WebSocket, withinMs: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error(`neither an answer nor a close within ${withinMs} ms`))), withinMs)
    const onPong = (): void => end(() => resolve('open'))
    const onClose = (code: number): void => end(() => resolve(`closed ${code}`))
    const end = (then: () => void): void => {
      clearTimeout(timer)
      socket.off('pong', onPong)
      socket.off('close', onClose)
      then()
    }
    socket.on('pong', onPong)
    socket.on('close', onClose)
    if (socket.readyState === WebSocket.CLOSED) onClose(1006)
    else if (socket.readyState === WebSocket.OPEN) socket.ping()
  })

export const createSocketPool = (url: string): SocketPool => {
  const sockets = new Map<string, WebSocket>()
  const turns = new Map<string, Promise<unknown>>()
  const find = async (purpose: Purpose): Promise<WebSocket> => {
    const known = sockets.get(purpose.name)
    if (known?.readyState === WebSocket.OPEN) return known
    const opened = await open(url, purpose)
    sockets.set(purpose.name, opened)
    return opened
  }
  return {
    exchange: (purpose, data, isBinary, withinMs = aliveMsMax) => {
      const send = async (): Promise<string> => {
        const socket = await find(purpose)
        socket.send(data, { binary: isBinary })
        return settle(socket, withinMs)
      }
      const answer = (turns.get(purpose.name) ?? Promise.resolve()).then(send, send)
      turns.set(purpose.name, answer)
      return answer
    },
    close: () => {
      for (const socket of sockets.values()) socket.terminate()
    },
  }
}
