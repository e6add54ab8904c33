// Preload it into a server (`--import`) to measure how long its event loop was held at a stretch. Each GET of the port
// BENCH_HOLDS_PORT returns the longest hold since the last one in milliseconds. On Linux that is processor time, so that other
// work on the machine does not count.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

const schedule = `/proc/self/task/${process.pid}/schedstat`
const now = existsSync(schedule) ? () => Number(readFileSync(schedule, 'latin1').split(' ', 1)[0]) / 1e6 : () => performance.now()

if (isMainThread) {
  let longestMs = 0
  let last = now()
  const beat = () => {
    const at = now()
    longestMs = Math.max(longestMs, at - last)
    last = at
    setTimeout(beat, 1)
  }
  beat()
  const server = createServer((_request, response) => {
    response.end(String(longestMs))
    longestMs = 0
  })
  server.listen(Number(process.env.BENCH_HOLDS_PORT), '127.0.0.1')
}
