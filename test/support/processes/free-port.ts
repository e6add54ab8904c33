import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Systems use higher ports for outgoing connections, which could take one before it is used. */
const [lowest, highest] = [15_000, 32_000] as const

/** Returns a free TCP port of the loopback. */
export const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(lowest, highest)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
