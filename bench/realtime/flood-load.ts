import type { Ground } from '../campaign/hostile/attack.ts'
import { connectMessage, frame, keepOpen, opcodes, openUpgraded } from '../campaign/hostile/attack-sockets.ts'
import { createRandom } from '../campaign/random.ts'
import type { DisturbancePlan } from './by-turns.ts'

const plan: DisturbancePlan = JSON.parse(process.argv[2] ?? '{}')
const empty = Buffer.alloc(0)
const one = Buffer.concat([frame(opcodes.ping, empty), frame(opcodes.pong, empty), frame(opcodes.part, empty, false)])
const burst = Buffer.concat(Array.from({ length: 700 }, () => one))
const report = { opened: 0, bursts: 0 }
let isOn = false

const flood = async (): Promise<void> => {
  const ground: Ground = {
    url: `http://127.0.0.1:${plan.port}`,
    host: '127.0.0.1',
    port: plan.port,
    tokens: plan.tokens,
    zoneId: '',
    given: {},
    random: createRandom('control-floods'),
    isOver: () => !isOn,
  }
  const open = () => {
    const token = plan.tokens[report.opened % plan.tokens.length] ?? ''
    report.opened += 1
    const socket = openUpgraded(ground)
    socket.resume()
    socket.write(frame(opcodes.binary, connectMessage(token)))
    socket.write(frame(opcodes.binary, empty, false))
    return socket
  }
  await keepOpen(ground, plan.tokens.length, open, (socket) => {
    report.bursts += 1
    socket.write(burst)
  })
}

process.on('message', (message) => {
  if (message === 'disturb') {
    isOn = true
    void flood()
  }
  if (message === 'rest') {
    isOn = false
    process.send?.({ rested: { ...report } })
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
