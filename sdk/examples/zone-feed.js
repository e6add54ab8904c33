// Follows a zone and places a block in it: node zone-feed.js http://127.0.0.1:3000 admin@example.com PASSWORD ZONE-ID
import { signIn } from 'gatehouse-client'
import { openZoneFeed } from 'gatehouse-client/admin'
import { WebSocket } from 'ws'

const [url, email, password, id] = process.argv.slice(2)
const me = await signIn({ url, email, password })
const feed = await openZoneFeed(me, id, { WebSocket })
feed.on('state', ({ name }) => console.log('now', name))
const { name, yMin, chunks } = feed.zone()
console.log(`${name} has ${chunks.length} columns`)

const changes = feed.events('blocks')
const [{ cx, cz }] = chunks
const { ok, rejected } = await feed.edit([{ x: cx * 16, y: yMin, z: cz * 16, type: 'stone' }])
console.log(ok ? 'built' : `not built: ${rejected.map(({ reason }) => reason).join()}`)
for await (const { edits } of changes) {
  console.log('changed', edits.map(({ x, y, z, type }) => `${x} ${y} ${z} ${type}`).join(', '))
  break
}
feed.close()
me.close()
