import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from '@jest/globals'
import express from 'express'
import { adoptMessages, createAppMessages } from '../../../functions/http/app-messages.ts'

it('keeps the prototypes of requests and answers, with the Express additions, separate per app', async () => {
  const messages = createAppMessages()
  const app = express()
  adoptMessages(app, messages)
  adoptMessages(express(), createAppMessages())
  const seen: unknown[] = []
  app.get('/a', (req, res) => {
    seen.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res), req.app === app, req.path)
    res.vary('Origin').json({ isOurs: req instanceof IncomingMessage && res instanceof ServerResponse })
  })
  const server = createServer({ ...messages }, (req, res) => {
    seen.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res))
    app(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const response = await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/a?b=c`)
  expect([response.headers.get('vary'), await response.json()]).toEqual(['Origin', { isOurs: true }])
  const { prototype: request } = messages.IncomingMessage
  const { prototype: answer } = messages.ServerResponse
  expect(seen.map((one) => (one === request ? 'request' : one === answer ? 'answer' : one))).toEqual([
    ...['request', 'answer'],
    ...['request', 'answer', true, '/a'],
  ])
  server.closeAllConnections()
  server.close()
})
