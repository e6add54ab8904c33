import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A proxy to the server at `url` that can be cut like a network. Every connection then ends at once, and new ones fail until it
 * is restored.
 */
export const openCutProxy = async (url: string) => {
  const target = Number(new URL(url).port)
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (): void => {
      isCut = true
      cutAll()
    },
    mend: (): void => {
      isCut = false
    },
    close: async (): Promise<void> => {
      cutAll()
      server.close()
      await once(server, 'close')
    },
  }
}
