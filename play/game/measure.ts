import type { Session } from '../../sdk/client.ts'
import type { WatchedWorld } from '../../sdk/world.ts'
import type { Stage } from '../render/stage.ts'
import type { Terrain } from '../render/terrain.ts'
import type { Hud } from '../state/hud.ts'
import type { DayClock } from './day-clock.ts'
import type { Ground } from './ground.ts'
import type { Hands } from './hands.ts'
import type { FrameMeter } from './picture/frame-meter.ts'
import type { Traffic } from './traffic.ts'
import type { Walker } from './walker.ts'

export type MeasureOptions = {
  readonly session: Session
  readonly world: WatchedWorld
  readonly hud: Hud
  readonly stage: Stage
  readonly terrain: Terrain
  readonly ground: Ground
  readonly walker: Walker
  readonly hands: Hands
  readonly meter: FrameMeter
  readonly clock: DayClock
  readonly traffic: Traffic
  readonly yaw: () => number
  readonly scale: () => number
  readonly now: () => number
}

const tellMs = 500
const pingMs = 2_000

/** Updates the debug info and the list of players. Returns a function to stop. */
export const measure = (options: MeasureOptions): (() => void) => {
  const { session, world, hud, stage, terrain, ground, walker, hands, meter, clock, traffic, yaw, scale, now } = options
  const { blocks, players } = world
  let ping: number | undefined
  let told: { readonly tick: number; readonly atMs: number } | undefined
  const askTime = (): void => {
    const askedAt = now()
    session.ping().then(
      ({ serverTime }) => {
        ping = Math.round(now() - askedAt)
        clock.tell(serverTime)
      },
      () => {
        ping = undefined
      },
    )
  }
  askTime()
  const measurePing = setInterval(askTime, pingMs)
  const stopTicks = session.on('players', (message) => {
    told = { tick: message.tick, atMs: now() }
  })
  const tell = setInterval(() => {
    hud.others.value = players.list().map(({ displayName }) => displayName)
    const { x, y, z } = walker.body()
    const { calls, triangles } = stage.counts()
    const { tickRate } = session.welcome()
    // The server sends nothing while no player in view moves.
    const tick = told && told.tick + Math.floor(((now() - told.atMs) * tickRate) / 1000)
    hud.figures.value = {
      ...meter.take(),
      ping,
      tick,
      tickRate,
      x,
      y,
      z,
      calls,
      triangles,
      ...traffic.take(now()),
      yaw: yaw(),
      hour: clock.hour(),
      columns: blocks.columnCount(),
      meshed: terrain.count(),
      waiting: ground.waiting(),
      meshMs: ground.meshMs(),
      players: players.count(),
      scale: scale(),
      block: hands.findTarget()?.kind.id ?? '',
    }
  }, tellMs)
  return () => {
    clearInterval(measurePing)
    clearInterval(tell)
    stopTicks()
  }
}
