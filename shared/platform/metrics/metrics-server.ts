import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { createAcceptsHost } from '../../kernel/known-hosts.ts'

export type MetricsServer = {
  /** The actual port, also for port 0. */
  readonly port: number
  close(): Promise<void>
}

const write = async (res: ServerResponse, registry: Registry): Promise<void> => {
  try {
    const text = await registry.metrics()
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(text)
  } catch {
    res.writeHead(500).end()
  }
}

/** Serves `registry` at `/metrics` on a separate, private port. Rejects if the port is in use. */
export const startMetricsServer = async (options: {
  readonly host: string
  readonly port: number
  /** Its host name is also accepted on loopback. */
  readonly baseUrl?: string
  readonly registry: Registry
}): Promise<MetricsServer> => {
  const acceptsHost = createAcceptsHost({ listensOn: options.host, urls: [options.baseUrl], hosts: () => [] })
  const server = createServer((req, res) => {
    if (!acceptsHost(req.headers.host)) res.writeHead(421, { Connection: 'close' }).end()
    else if (req.url?.split('?')[0] !== '/metrics') res.writeHead(404).end()
    else if (req.method !== 'GET' && req.method !== 'HEAD') res.writeHead(405, { Allow: 'GET, HEAD' }).end()
    else void write(res, options.registry)
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
