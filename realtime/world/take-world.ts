import { setTimeout as pause } from 'node:timers/promises'
import { createLeaseSeeker, type HeldWorld } from '../../shared/domain/worlds/leases/seek-lease.ts'
import { worldHeld } from '../../shared/domain/worlds/leases/take-lease.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { LeaseHolder } from '../../shared/platform/process/lease-holder.ts'
import type { Services } from '../../shared/services/wire-services.ts'

/** The holder of a world, the worlds that it may run, and their lock files on this machine. */
export type WorldTenure = {
  readonly holder: LeaseHolder
  /** At least one. The first free world is taken. */
  readonly worldNames: readonly string[]
  /** Next to the chunks of the world: `<dataDir>/worlds/<name>.lease`. */
  readonly lockPathOf: (worldName: string) => string
}

export type TakenWorld = { readonly name: string; readonly lease: WorldLease }

export type TakeWorldDeps = Pick<Services, 'store' | 'clock' | 'ids' | 'log' | 'events'>

/** Each search costs a lock on this machine and a read for each world. */
const lookEveryMs = 200

/** A new holder may not have written its name yet. This is the number of searches to wait for it. */
const nameLooks = 10

/** The worlds of a tenure. Each call searches all of them once. */
const createWorldSearch = (deps: TakeWorldDeps, { holder, worldNames, lockPathOf }: WorldTenure) => {
  const seekers = worldNames.map((worldName) => ({
    worldName,
    ...createLeaseSeeker({ ...deps, worldName, holder, lockPath: lockPathOf(worldName) }),
  }))
  return async (): Promise<TakenWorld | readonly (HeldWorld & { readonly worldName: string })[]> => {
    const held = []
    for (const { worldName, seek } of seekers) {
      const found = await seek()
      if ('lease' in found) return { name: worldName, lease: found.lease }
      held.push({ ...found, worldName })
    }
    return held
  }
}

/**
 * Takes the first free world. Waits only until it is certain that a holder is alive. Throws AppError `conflict`, slug `world-held`,
 * with the holder of the first world, if other nodes run all of them.
 */
export const takeWorld = async (deps: TakeWorldDeps, tenure: WorldTenure): Promise<TakenWorld> => {
  const look = createWorldSearch(deps, tenure)
  for (let looks = 1; ; looks += 1) {
    const found = await look()
    if ('lease' in found) return found
    const [first] = found
    const isNamed = first?.holderName !== undefined || looks >= nameLooks
    if (first === undefined || (isNamed && found.every(({ isAlive }) => isAlive)))
      throw worldHeld(first?.worldName ?? '', first?.holderName)
    await pause(lookEveryMs)
  }
}

/** Takes the first world that is free now. Undefined if there is none. Throws AppError `unavailable`. */
export const findFreeWorld = async (deps: TakeWorldDeps, tenure: WorldTenure): Promise<TakenWorld | undefined> => {
  const found = await createWorldSearch(deps, tenure)()
  return 'lease' in found ? found : undefined
}

/** A pause that ends early when a world is released. Without Redis it lasts its full time. */
const createRestlessPause = ({ events, log }: TakeWorldDeps, signal: AbortSignal): (() => Promise<void>) => {
  let wake = () => {}
  events
    .subscribe('world-released', () => wake())
    .then((end) => signal.addEventListener('abort', end))
    .catch((error: unknown) => log.debug({ err: error }, 'no events for released worlds; polling instead'))
  return () =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, lookEveryMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
}

/** The holders of worlds that a node waits for, by world name. */
export type Holders = Readonly<Record<string, string>>

/**
 * Waits for the first free world and takes it, even if stores are unavailable in the meantime. Undefined if `signal` aborts first.
 * `standsBy` gets the holders, and again after changes.
 */
export const awaitWorld = async (
  deps: TakeWorldDeps,
  tenure: WorldTenure,
  signal: AbortSignal,
  standsBy: (holders: Holders) => void = () => {},
): Promise<TakenWorld | undefined> => {
  const search = createWorldSearch(deps, tenure)
  const rest = createRestlessPause(deps, signal)
  let isFailing = false
  let toldOf = ''
  /** Reports the holders when they have changed. */
  const tellOf = (held: readonly (HeldWorld & { readonly worldName: string })[]): void => {
    const holders = Object.fromEntries(held.map(({ worldName, holderName = '' }) => [worldName, holderName]))
    const known = JSON.stringify(holders)
    if (known === toldOf || held.some(({ holderName }) => holderName === undefined)) return
    toldOf = known
    standsBy(holders)
    deps.log.info({ holders }, 'this node is a standby until one of these worlds is free')
  }
  const look = async (): Promise<TakenWorld | undefined> => {
    try {
      const found = await search()
      isFailing = false
      if ('lease' in found) return found
      tellOf(found)
      return undefined
    } catch (error) {
      if (!isFailing) deps.log.warn({ err: error }, 'the leases cannot be read; retrying')
      isFailing = true
      return undefined
    }
  }
  while (!signal.aborted) {
    const taken = await look()
    if (taken !== undefined) return taken
    await rest()
  }
  return undefined
}
