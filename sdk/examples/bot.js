// A bot that says hello, builds a block in front of itself and leaves: node bot.js http://127.0.0.1:3000 bot@example.com [password]
import { connect, signIn } from 'gatehouse-client'
import { watchWorld } from 'gatehouse-client/world'
import { WebSocket } from 'ws'

const [url = 'http://127.0.0.1:3000', email = 'bot@example.com', password] = process.argv.slice(2)
const me = await signIn({ url, email, password })
const session = await connect(me, { WebSocket, clientName: 'hello-bot' })
const world = watchWorld(session)

await session.chat('hello')
const start = session.position()
await world.walkTo(start.x + 4, start.z).catch(({ code }) => console.log(`stopped: ${code}`))
const { x, y, z } = session.position()
const { ok, reason } = await session.edit([{ x: Math.floor(x) + 2, y: Math.floor(y), z: Math.floor(z), type: 'stone' }])
console.log(ok ? 'built' : `not built: ${reason}`)
await session.close()
me.close()
