import { WebSocket } from 'ws'

export type Knocked = {
  /** Of the refusal; 101 for an upgrade that was taken. */
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
  /** What the one who took it said first, as JSON. */
  readonly first: { readonly servedBy?: string; readonly path?: string; readonly headers?: Readonly<Record<string, string>> }
  readonly socket: WebSocket
}

/** Asks for an upgrade and resolves to its refusal, or to the first message of who took it. */
export const knock = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Knocked> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
    socket.on('unexpected-response', (_request, response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const body = Buffer.concat(pieces).toString('utf8')
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body, first: {}, socket })
        socket.terminate()
      })
    })
    socket.once('message', (data) =>
      resolve({ status: 101, retryAfter: undefined, body: '', first: JSON.parse(String(data)), socket }),
    )
    socket.on('error', reject)
  })
