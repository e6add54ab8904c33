import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { createAcceptsHost } from '../../kernel/known-hosts.ts'

export type MetricsServer = {
  /** The port that it listens on, also when 0 was asked for. */
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

/** Serves `registry` at `/metrics` on a port of its own, apart from what the public reaches; rejects when the port is taken. */
export const startMetricsServer = async (options: {
  readonly host: string
  readonly port: number
  /** Whose host name counts on loopback too. */
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
