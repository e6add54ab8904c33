import { createHash } from 'node:crypto'
import express from 'express'
import { Redis } from 'ioredis'

/**
 * The reference of the token check: express, one Redis GET by the hash of the bearer token, and a small JSON answer. Argument:
 * the Redis socket.
 */
const redis = new Redis(process.argv[2] ?? '')
const app = express()
app.get('/auth/me', async (request, response) => {
  const token = (request.headers.authorization ?? '').slice('Bearer '.length)
  const found = await redis.get(`bare:${createHash('sha256').update(token).digest('hex')}`)
  if (found === null) {
    response.status(401).end()
    return
  }
  response.json(JSON.parse(found))
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ ready: typeof address === 'object' ? address?.port : 0 })
})
process.on('disconnect', () => process.exit(0))
