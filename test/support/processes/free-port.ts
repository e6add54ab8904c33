import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Systems give higher ones to connections that go out: one of those would be taken between the look and the listening. */
const [lowest, highest] = [15_000, 32_000] as const

/** A TCP port of the loopback that nobody listens on at this moment. */
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
