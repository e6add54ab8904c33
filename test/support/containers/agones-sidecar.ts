import { once } from 'node:events'
import { createServer } from 'node:http'

/** A server with the part of Agones' SDK REST interface that a game server calls. It records the calls. */
export const startAgonesSidecar = async (port = 0) => {
  const told: string[] = []
  let status = 200
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isKnown = request.method === 'POST' && /^\/(ready|health|allocate|shutdown)$/.test(request.url ?? '')
      const isJson = request.headers['content-type'] === 'application/json'
      if (isKnown && isJson && status === 200) told.push((request.url ?? '').slice(1))
      response.writeHead(isKnown && isJson ? status : 404, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    /** Returns and clears the recorded states, without health signals. */
    takeStates: (): readonly string[] => told.splice(0).filter((what) => what !== 'health'),
    listStates: (): readonly string[] => told.filter((what) => what !== 'health'),
    countSignsOfLife: (): number => told.filter((what) => what === 'health').length,
    /** Sets the status of later answers. */
    answer: (next: number) => {
      status = next
    },
    stop: async (): Promise<void> => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
