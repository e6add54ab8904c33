// Prints the players nearby every second: node nearby.js http://127.0.0.1:3000 you@example.com [password]
import { connect, signIn } from 'gatehouse-client'
import { watchWorld } from 'gatehouse-client/world'
import { WebSocket } from 'ws'

const [url, email, password] = process.argv.slice(2)
const session = await connect(await signIn({ url, email, password }), { WebSocket })
const world = watchWorld(session)
const names = () => world.players.list().map(({ displayName }) => displayName)
setInterval(() => console.log(session.state().name, 'near:', names().join(', ')), 1000)
