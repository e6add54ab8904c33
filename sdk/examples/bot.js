// A bot that says hello, builds a block in front of itself and leaves: node bot.js http://127.0.0.1:3000 bot@example.com [password]
import { connect, signIn } from 'gatehouse-client'
import { watchWorld } from 'gatehouse-client/world'
import { WebSocket } from 'ws'

const [url = 'http://127.0.0.1:3000', email = 'bot@example.com', password] = process.argv.slice(2)
const me = await signIn({ url, email, password })
const session = await connect(me, { WebSocket, clientName: 'hello-bot' })
const world = watchWorld(session)

await session.chat('hello')
for (let step = 0; step < 20; step += 1) {
  const { x, yaw } = world.mover.position()
  const refusal = world.moveTo({ x: x + 0.2, yaw })
  if (refusal !== undefined) console.log(`stopped: ${refusal}`)
  if (refusal !== undefined) break
  await new Promise((resolve) => setTimeout(resolve, 50))
}
const { x, y, z } = session.position()
const { ok, reason } = await session.edit([{ x: Math.floor(x) + 2, y: Math.floor(y), z: Math.floor(z), type: 'stone' }])
console.log(ok ? 'built' : `not built: ${reason}`)
await session.close()
me.close()
