import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { Redis } from 'ioredis'

/**
 * The reference of the token check: only Node, one Redis GET by the hash of the bearer token, and a small JSON answer. Argument:
 * the Redis socket.
 */
const redis = new Redis(process.argv[2] ?? '')
const server = createServer(async (request, response) => {
  const token = (request.headers.authorization ?? '').slice('Bearer '.length)
  const found = request.url === '/auth/me' ? await redis.get(`bare:${createHash('sha256').update(token).digest('hex')}`) : null
  if (found === null) {
    response.writeHead(401).end()
    return
  }
  const body = JSON.stringify(JSON.parse(found))
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ ready: typeof address === 'object' ? address?.port : 0 })
})
process.on('disconnect', () => process.exit(0))
