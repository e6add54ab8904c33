import { isDeepStrictEqual } from 'node:util'
import type { WorldService } from '../../shared/domain/worlds/world-service.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { repeat } from '../../shared/kernel/repeat.ts'
import type { EventBus } from '../../shared/platform/events/event-bus.ts'
import type { Spawn } from './spawn.ts'

/** For lost events. */
const checkEveryMs = 30_000

type Deps = {
  readonly worldName: string
  readonly worlds: Pick<WorldService, 'findWorld'>
  readonly events: Pick<EventBus, 'subscribe'>
  readonly spawn: Pick<Spawn, 'at' | 'move'>
  readonly log: Log
}

/** Updates the spawn of a running world when another process changes it. Returns a function that stops it. */
export const followSpawn = ({ worldName, worlds, events, spawn, log }: Deps): (() => void) => {
  const stops: (() => void)[] = []
  let isClosed = false
  const check = async (): Promise<void> => {
    const world = await worlds.findWorld(worldName)
    if (!isClosed && world !== undefined && !isDeepStrictEqual(world.spawn, spawn.at())) spawn.move(world.spawn)
  }
  const checkSafely = (): Promise<void> =>
    check().catch((error: unknown) => log.warn({ err: error }, 'the spawn could not be read; retrying later'))
  stops.push(repeat(checkSafely, checkEveryMs))
  events
    .subscribe('spawn-changed', ({ world }) => (world === worldName ? checkSafely() : undefined))
    .then(
      (stop) => (isClosed ? stop() : void stops.push(stop)),
      (error: unknown) => log.error({ err: error }, 'no events for the spawn; polling every half minute only'),
    )
  return () => {
    isClosed = true
    for (const stop of stops.splice(0)) stop()
  }
}
