import { WebSocket } from 'ws'

type FeedsPlan = { readonly port: number; readonly token: string; readonly feeds: number }

/** Clients at the feed of a world, each with a different view that includes all players. Argument: a FeedsPlan as JSON. */
const { port, token, feeds }: FeedsPlan = JSON.parse(process.argv[2] ?? '{}')
let messages = 0

const open = (index: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/admin/ws/worlds/default`, {
      perMessageDeflate: false,
      headers: { Authorization: `Bearer ${token}` },
    })
    const edge = 10_000 + index
    socket.on('open', () => socket.send(JSON.stringify({ type: 'view', minX: -edge, minZ: -edge, maxX: edge, maxZ: edge })))
    socket.once('message', () => resolve())
    socket.on('message', () => {
      messages += 1
    })
    socket.on('error', reject)
  })

for (let index = 0; index < feeds; index += 1) await open(index)
process.send?.({ opened: feeds })
process.on('message', (message) => {
  if (message === 'begin') messages = 0
  if (message === 'end') process.send?.({ messages })
})
process.on('disconnect', () => process.exit(0))
