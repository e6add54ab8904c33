// Shows the chat of a world in a channel of Discord:
// GATEHOUSE_TOKEN=ght_… DISCORD_WEBHOOK=https://discord.com/api/webhooks/… node discord-bridge.js http://127.0.0.1:3000 [WORLD]
// The API token needs the permission admin.worlds.read. The program needs no body in the world.
import { signIn } from 'gatehouse-client'
import { openWorldFeed } from 'gatehouse-client/admin'
import { WebSocket } from 'ws'

const [url = 'http://127.0.0.1:3000', world = 'default'] = process.argv.slice(2)
const { GATEHOUSE_TOKEN: token = '', DISCORD_WEBHOOK: webhook = '' } = process.env
const me = await signIn({ url, token })
const feed = await openWorldFeed(me, world, { WebSocket, view: { minX: 0, minZ: 0, maxX: 0, maxZ: 0 } })

/** Discord accepts 2,000 characters a message. */
const charactersMax = 2000
let waiting = []
const tell = (line) => waiting.push(line.slice(0, charactersMax))
feed.on('chat', ({ lines, reset }) => {
  // The first lines of a connection are old.
  if (!reset) for (const { from, text } of lines) tell(`<${from}> ${text}`)
})
feed.on('joined', ({ players }) => {
  for (const { displayName } of players) tell(`${displayName} joined.`)
})
feed.on('left', ({ players }) => {
  for (const { displayName } of players) tell(`${displayName} left.`)
})
console.log(`bridges ${world}`)

/** Takes as many lines as fit into one message. */
const takeMessage = () => {
  let content = waiting[0]
  let count = 1
  for (; count < waiting.length && content.length + 1 + waiting[count].length <= charactersMax; count += 1)
    content += `\n${waiting[count]}`
  waiting = waiting.slice(count)
  return content
}

/** Sends one message. Waits and tries again if Discord requests it. `allowed_mentions` keeps players from notifying everyone. */
const send = async (content) => {
  const body = JSON.stringify({ content, allowed_mentions: { parse: [] } })
  const answer = await fetch(webhook, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  if (answer.ok) return
  if (answer.status !== 429) throw new Error(`The webhook answered ${answer.status}.`)
  await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('Retry-After') ?? 1)))
  await send(content)
}

while (feed.state().name !== 'ended') {
  await new Promise((resolve) => setTimeout(resolve, 500))
  if (waiting.length > 0) await send(takeMessage()).catch((error) => console.error(error.message))
}
me.close()
