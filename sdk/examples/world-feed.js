// Watches the players around the spawn and the tiles that change: node world-feed.js http://127.0.0.1:3000 admin@example.com
// PASSWORD
import { signIn } from 'gatehouse-client'
import { openWorldFeed } from 'gatehouse-client/admin'
import { WebSocket } from 'ws'

const [url, email, password, world = 'default'] = process.argv.slice(2)
const me = await signIn({ url, email, password })
const view = { minX: -256, minZ: -256, maxX: 255, maxZ: 255 }
const feed = await openWorldFeed(me, world, { WebSocket, view })
console.log('watching', world)
feed.on('players', () =>
  console.log(
    'in view:',
    feed
      .players()
      .map(({ displayName }) => displayName)
      .join(', '),
  ),
)
feed.on('zones', () =>
  console.log(
    'zones:',
    feed
      .zones()
      .map(({ name }) => name)
      .join(', '),
  ),
)
for await (const { tiles } of feed.events('tiles')) {
  const here = tiles.filter(({ zoom }) => zoom === 0)
  console.log('changed:', here.map(({ tx, tz }) => `/api/admin/worlds/${world}/map/0/${tx}/${tz}.png`).join(' '))
}
