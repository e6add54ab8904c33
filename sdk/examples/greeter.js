// A bot that greets new players: GATEHOUSE_TOKEN=ght_… node greeter.js http://127.0.0.1:3000
// Its API token needs the permission command.who.
import { connect, signIn } from 'gatehouse-client'
import { WebSocket } from 'ws'

const [url = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const me = await signIn({ url, token: process.env.GATEHOUSE_TOKEN ?? '' })
const session = await connect(me, { WebSocket, clientName: 'greeter' })
session.on('state', ({ name, text }) => console.log(name, text ?? ''))

/** The names of the players on all nodes by playerId. A display name can change; a playerId does not. */
const listPlayers = async () => {
  const { ok, text, data } = await session.command('/who')
  if (!ok) throw new Error(text)
  return new Map(data.players.map(({ playerId, displayName }) => [playerId, displayName]))
}

let present = await listPlayers()
console.log(`greets as ${me.displayName}`)
while (session.state().name !== 'ended') {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  // A lost connection is opened again by the library. Until then there is nothing to do.
  if (session.state().name !== 'live') continue
  try {
    const players = await listPlayers()
    for (const [playerId, name] of players) if (!present.has(playerId)) await session.chat(`Welcome, ${name}!`)
    present = players
  } catch (error) {
    console.error(error.message)
  }
}
me.close()
