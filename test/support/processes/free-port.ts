import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A TCP port of the loopback that nobody listens on at this moment, below `max`. */
export const findFreePort = async (max = 65_536): Promise<number> => {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address: AddressInfo | string | null = server.address()
    server.close()
    await once(server, 'close')
    if (typeof address === 'object' && address !== null && address.port < max) return address.port
  }
}
