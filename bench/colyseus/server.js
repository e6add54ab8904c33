import { createServer } from 'node:http'
import { Room, Server } from '@colyseus/core'
import { StateView, schema, t } from '@colyseus/schema'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { measureServer } from '../realtime/measured-server.ts'

// JavaScript, since its packages need a newer Node than Gatehouse and are installed apart: npm ci --prefix bench/colyseus

/**
 * Colyseus 0.18 with the same patch rate, with a StateView for each client and the same square of interest. Argument: the view's
 * half side in blocks; "everybody": without views, since all players see all others, so that each patch is encoded once.
 */
const seesEverybody = process.argv[2] === 'everybody'
const viewBlocks = Number(seesEverybody ? 0 : (process.argv[2] ?? 144))
const refreshEveryTicks = 5
/** Updates are counted in one patch of this many, as a sample for all of them. */
const countEveryTicks = 20
const counters = measureServer()

const Player = schema({ x: t.float32(), y: t.float32(), z: t.float32(), yaw: t.uint8(), pitch: t.uint8() }, 'Player')
const State = schema({ players: seesEverybody ? t.map(Player) : t.map(Player).view() }, 'State')

class Walkers extends Room {
  state = new State()
  walkers = new Map()
  ticks = 0
  moved = new Set()

  onCreate() {
    this.maxClients = 5000
    this.patchRate = 50
    this.maxMessagesPerSecond = 1000
    this.onMessageBytes(0, (client, bytes) => {
      const player = this.walkers.get(client.sessionId)?.player
      if (!player) return
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      player.x = view.getFloat32(0, true)
      player.y = view.getFloat32(4, true)
      player.z = view.getFloat32(8, true)
      player.yaw = view.getUint8(12)
      player.pitch = view.getUint8(13)
      this.moved.add(client.sessionId)
    })
  }

  onJoin(client) {
    const player = new Player()
    this.state.players.set(client.sessionId, player)
    if (!seesEverybody) {
      client.view = new StateView()
      client.view.add(player)
    }
    this.walkers.set(client.sessionId, { client, player, seen: new Set([client.sessionId]) })
  }

  broadcastPatch() {
    const startedAt = performance.now()
    if (this.ticks++ % refreshEveryTicks === 0 && !seesEverybody) this.refreshViews()
    if (this.ticks % countEveryTicks === 0) counters.updates(this.countUpdates() * countEveryTicks)
    this.moved.clear()
    const sent = super.broadcastPatch()
    counters.tick(performance.now() - startedAt)
    return sent
  }

  /** The number of positions of others in the patch, for all clients together. */
  countUpdates() {
    let count = 0
    for (const [own, { seen }] of this.walkers)
      for (const id of seesEverybody ? this.moved : seen) if (id !== own && this.moved.has(id)) count += 1
    return count
  }

  refreshViews() {
    const cells = new Map()
    const cellOf = (value) => Math.floor(value / viewBlocks)
    for (const [id, { player }] of this.walkers) {
      const key = `${cellOf(player.x)},${cellOf(player.z)}`
      const cell = cells.get(key)
      if (cell) cell.push(id)
      else cells.set(key, [id])
    }
    for (const walker of this.walkers.values()) this.refreshView(walker, cells, cellOf)
  }

  refreshView(walker, cells, cellOf) {
    const near = new Set()
    for (let dx = -1; dx <= 1; dx++)
      for (let dz = -1; dz <= 1; dz++)
        for (const id of cells.get(`${cellOf(walker.player.x) + dx},${cellOf(walker.player.z) + dz}`) ?? []) {
          const other = this.walkers.get(id)?.player
          if (other && Math.abs(other.x - walker.player.x) <= viewBlocks && Math.abs(other.z - walker.player.z) <= viewBlocks)
            near.add(id)
        }
    for (const id of near) if (!walker.seen.has(id)) this.show(walker.client, id)
    for (const id of walker.seen) if (!near.has(id)) this.hide(walker.client, id)
    walker.seen = near
  }

  show(client, id) {
    const player = this.walkers.get(id)?.player
    if (player) client.view?.add(player)
  }

  hide(client, id) {
    const player = this.walkers.get(id)?.player
    if (player) client.view?.remove(player)
  }
}

const httpServer = createServer()
const server = new Server({ transport: new WebSocketTransport({ server: httpServer, pingInterval: 0 }), greet: false })
server.define('walkers', Walkers)
await server.listen(0, '127.0.0.1')
const address = httpServer.address()
process.send?.({ ready: typeof address === 'object' ? address?.port : 0 })
