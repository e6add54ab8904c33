// Capture the flag in a zone: GATEHOUSE_TOKEN=ght_… node capture-the-flag.js http://127.0.0.1:3000 ZONE-ID [POINTS]
// The flag is a block of gold. Break it for a point; it appears again somewhere else. The first player with 3 points wins.
// The API token needs admin.instances.read, admin.instances.write and admin.announcements.write. The program needs no body.
import { signIn } from 'gatehouse-client'
import { createCall, openZoneFeed, readZoneBlocks } from 'gatehouse-client/admin'
import { WebSocket } from 'ws'

const [url, id, points = '3'] = process.argv.slice(2)
const me = await signIn({ url, token: process.env.GATEHOUSE_TOKEN ?? '' })
const call = createCall(me)
const feed = await openZoneFeed(me, id, { WebSocket })
const names = new Map()
feed.on('playerEntered', ({ playerId, displayName }) => names.set(playerId, displayName))
const blocks = feed.events('blocks')

const announce = async (text) => {
  console.log(text)
  await call('POST /api/admin/announcements', { body: { text, zone: id } })
}

/** Places the flag on the ground of a random place in the zone, and returns the place. */
const placeFlag = async () => {
  const { yMin, yMax, chunks } = feed.zone()
  const { cx, cz } = chunks[Math.floor(Math.random() * chunks.length)]
  const [x, z] = [cx, cz].map((chunk) => chunk * 16 + Math.floor(Math.random() * 16))
  let y = yMin
  for await (const block of readZoneBlocks(me, id, { cx, cz })) if (block.x === x && block.z === z) y = Math.max(y, block.y + 1)
  // The column is full up to the top of the zone: try another one.
  if (y > yMax) return placeFlag()
  const { ok, reason } = await feed.edit([{ x, y, z, type: 'gold_block' }])
  if (!ok) throw new Error(`The flag cannot be placed: ${reason ?? 'see blocks.yaml for the kinds of blocks'}.`)
  await announce(`The flag is at ${x} ${y} ${z}.`)
  return { x, y, z }
}

const scores = new Map()
let flag = await placeFlag()
for await (const { edits, by } of blocks) {
  const isTaken = edits.some(({ x, y, z, type }) => x === flag.x && y === flag.y && z === flag.z && type !== 'gold_block')
  if (!isTaken) continue
  const score = (scores.get(by) ?? 0) + 1
  scores.set(by, score)
  const name = names.get(by) ?? 'A player outside the zone'
  if (score === Number(points)) {
    await announce(`${name} wins with ${score} points.`)
    break
  }
  await announce(`${name} captured the flag and has ${score} of ${points} points.`)
  flag = await placeFlag()
}
feed.close()
me.close()
