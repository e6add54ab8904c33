// Loaded into a server before all else (`--import`): tells how long each request was with the server, without the time that it waited
// for others over HTTP. One line of JSON a request, appended to the file that BENCH_TIMES names; for requests one after the other.
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
// Node's own channel tells of a request once it is written, when whoever is asked may have had this very core already.
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
