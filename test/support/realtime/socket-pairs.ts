import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Connections within this machine: both ends of each, until `close`. */
export const openSocketPairs = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const sockets: Socket[] = []
  return {
    open: async (): Promise<{ readonly client: Socket; readonly accepted: Socket }> => {
      const client = connect(port, '127.0.0.1')
      const [accepted]: Socket[] = await once(server, 'connection')
      if (accepted === undefined) throw new Error('nothing was accepted')
      sockets.push(client, accepted)
      return { client, accepted }
    },
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
