import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request, with its body. */
export type Passing = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Its answer, which may be changed. */
export type PassingAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** Changes an answer; `cut` means no answer. */
export type Tamper = (asked: Passing, answer: PassingAnswer) => PassingAnswer | 'cut'

/** A proxy for the server at `url` that changes answers by `tamper`, and records the traffic. */
export const openTamperingProxy = async (url: string, tamper: Tamper = (_asked, answer) => answer) => {
  const seen: { readonly asked: Passing; readonly answer: PassingAnswer }[] = []
  const server = createServer(async (req, res) => {
    const pieces: Buffer[] = []
    for await (const piece of req) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const { hostname, port } = new URL(url)
    const { method = '', url: path = '', headers } = req
    const onward = request({ hostname, port, method, path, headers, agent: false })
    onward.on('error', () => res.destroy())
    onward.once('response', async (incoming) => {
      const parts: Buffer[] = []
      for await (const part of incoming) parts.push(part)
      const asked = { method, path, headers, body: body.toString('utf8') }
      const came = { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(parts) }
      const answer = tamper(asked, { ...came, headers: { ...came.headers } })
      if (answer === 'cut') {
        res.destroy()
        return
      }
      seen.push({ asked, answer })
      const { 'content-length': length, 'transfer-encoding': _encoding, connection: _connection, ...kept } = answer.headers
      // A HEAD and a 304 have the length of a body that they do not send.
      const sized =
        answer.body.length > 0
          ? { 'content-length': answer.body.length }
          : length === undefined
            ? {}
            : { 'content-length': length }
      res.writeHead(answer.status, { ...kept, ...sized })
      res.end(answer.body)
    })
    onward.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** The requests and answers, in order. */
    seen: () => seen,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
