import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AppMessages } from '../../../functions/http/app-messages.ts'
import { type Door, readAnswer } from './door.ts'

/** Serves the app on a loopback socket. `messages` are the ones that the app uses. */
export const openSocketDoor = async (app: RequestListener, messages?: AppMessages): Promise<Door & { readonly port: number }> => {
  const server = createServer({ ...messages }, app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    send: (method, path, headers, body) =>
      new Promise((resolve, reject) => {
        const length = body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': String(body.length) }
        const req = request(
          { host: '127.0.0.1', port, method, path, headers: { ...length, ...headers }, agent: false },
          (res) => {
            const chunks: Buffer[] = []
            res.on('data', (chunk: Buffer) => chunks.push(chunk))
            res.on('error', reject)
            res.on('end', () => {
              const flat = Object.entries(res.headers).map(([name, value]) => [name, String(value)])
              resolve(readAnswer(res.statusCode ?? 0, Object.fromEntries(flat), Buffer.concat(chunks)))
            })
          },
        )
        req.on('error', reject)
        req.end(body)
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
