// Preload it into a server (`--import`). It records the time of each request without waits for others over HTTP, as a line of
// JSON in the file BENCH_TIMES. It needs sequential requests.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { ClientRequest } from 'node:http'

const file = process.env.BENCH_TIMES ?? ''
let startedAt = 0
let askedAt = 0
let elsewhereMs = 0

subscribe('http.server.request.start', () => {
  startedAt = performance.now()
  elsewhereMs = 0
})
// Node's own channel reports a request after it is written, when the target process may already run on this core.
const { _flush: flush } = ClientRequest.prototype
ClientRequest.prototype._flush = function () {
  askedAt = performance.now()
  return flush.call(this)
}
subscribe('http.client.response.finish', () => {
  elsewhereMs += performance.now() - askedAt
})
subscribe('http.server.response.finish', ({ request }) => {
  const path = request.url.split('?', 1)[0]
  appendFileSync(file, `${JSON.stringify({ path, ms: performance.now() - startedAt - elsewhereMs, elsewhereMs })}\n`)
})
