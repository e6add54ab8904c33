import { WebSocket } from 'ws'

export type Knocked = {
  /** The status of the refusal, or 101 for an accepted upgrade. */
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
  /** The first message after the upgrade, as JSON. */
  readonly first: { readonly servedBy?: string; readonly path?: string; readonly headers?: Readonly<Record<string, string>> }
  readonly socket: WebSocket
}

/** Requests an upgrade; resolves to its refusal, or to the first message. */
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
