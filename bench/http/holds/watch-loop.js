// Loaded into a server before all else (`--import`): how long its event loop was held at a stretch. Each GET of the port that BENCH_HOLDS_PORT
// names answers the longest since the one before, in milliseconds of the processor's time where the system tells it (Linux), so that a
// machine that does other work adds nothing.
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
