import { monitorEventLoopDelay } from 'node:perf_hooks'
import { WebSocket } from 'ws'
import { startBots } from '../../sdk/testing/bots.ts'

/** A crowd of the client library in one process. Arguments: the server's address, and the number of bots. */
const [url = '', count = '0'] = process.argv.slice(2)
const { bots } = await startBots({ url, count: Number(count), WebSocket })

const delays = monitorEventLoopDelay({ resolution: 5 })
delays.enable()

const read = () => {
  const { user, system } = process.cpuUsage()
  return {
    atMs: performance.now(),
    cpuMs: (user + system) / 1_000,
    moves: bots.reduce((sum, { counts }) => sum + counts.moves, 0),
    corrections: bots.reduce((sum, { counts }) => sum + counts.corrections, 0),
    longestHoldMs: delays.max / 1e6,
    live: bots.filter(({ session }) => session.state().name === 'live').length,
  }
}

process.on('message', () => {
  process.send?.({ counts: read() })
  delays.reset()
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
