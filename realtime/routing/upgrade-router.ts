import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ClientAddresses } from '../../shared/domain/auth/client-address.ts'
import type { NodeDirectory } from '../../shared/domain/presence/node-directory.ts'
import type { LiveNode } from '../../shared/domain/presence/presence.ts'
import type { ActiveSanctions } from '../../shared/domain/sanctions/active/follow-sanctions.ts'
import { accountBanned } from '../../shared/domain/sanctions/banned-error.ts'
import { worldRecords } from '../../shared/domain/worlds/world.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import { requestIdOf } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import { pathOf } from '../socket/answer-plain-requests.ts'
import { countRefusals, createRefusalAnswer } from '../socket/refuse-upgrade.ts'
import { createUpgradeReadQueue, hasLeft } from '../socket/upgrade-read-queue.ts'
import { type FeedTarget, feedTargetIn, findFeedZone } from './feed-path.ts'
import { listTargets } from './list-targets.ts'
import { createUpgradePasser, passedOnHeader } from './pass-on.ts'
import { requireWebSocket } from './require-web-socket.ts'
import { createRetryWindow, retryWindowMs } from './retry-window.ts'

const worldName = /^[A-Za-z0-9_-]{1,64}$/

/** The world in `?world=` of an upgrade. Undefined without it. Throws AppError `invalid` for an invalid name. */
const readWantedWorld = (url: string): string | undefined => {
  const at = url.indexOf('?')
  if (at === -1) return undefined
  const names = new URLSearchParams(url.slice(at + 1)).getAll('world')
  if (names.every((name) => worldName.test(name)) && names.length <= 1) return names[0]
  throw new AppError('invalid', 'bad-request', '"world" must be given once, as 1 to 64 letters, digits, _ or -.')
}

type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** What this process serves: players and the feed of its world, and feeds of any zone. */
type ServedHere = { readonly world: string; readonly take: TakeUpgrade }

type UpgradeRouterDeps = {
  /** Undefined if this process runs no world: the HTTP half, a standby, or a node that has released its world. */
  readonly here: () => ServedHere | undefined
  /** The id of this process in the registry, if it is a node. */
  readonly nodeId?: string
  /** The worlds for players who request none, if this process runs none. The first running one is used. */
  readonly worldNames: () => readonly string[]
  readonly nodes: Pick<NodeDirectory, 'listKnown'>
  readonly store: Pick<Store, 'get'>
  readonly clients: ClientAddresses
  readonly activeSanctions: Pick<ActiveSanctions, 'findAddressBan'>
  readonly clock: Pick<Clock, 'monotonic'>
  /** How long an upgrade waits for a node that may start soon. 2 s if absent. */
  readonly retryWindowMs?: number
  readonly log: Log
  readonly ids: Pick<Ids, 'uuid'>
  readonly metrics: Pick<RealtimeMetrics, 'countRefusedUpgrade'>
}

/** Routes each upgrade to the node that runs its target. */
type UpgradeRouter = {
  /** Handles any upgrade. Paths other than those of players and feeds get 404. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes connections that were passed on. */
  close(): void
}

/** The maximum number of concurrent searches for a node. */
const lookUpsMax = 1000

const nothingThere = new AppError('not-found', 'not-found', 'There is nothing at this address.')
const noWorld = new AppError(
  'not-found',
  'not-found',
  'There is no world with that name. GET /api/realtime/nodes lists the worlds.',
)
const unavailable = (detail: string): AppError =>
  new AppError('unavailable', 'service-unavailable', detail, { retryAfterSeconds: 2 })
const nobody = unavailable('No real-time node runs this world at the moment. Try again in a moment.')
const nodeAway = unavailable('The real-time node does not answer. Try again in a moment.')
const tooMany = unavailable('Too many clients are connecting. Try again in a moment.')

export const createUpgradeRouter = (deps: UpgradeRouterDeps): UpgradeRouter => {
  const { here, nodeId, worldNames, nodes, store, log, ids, metrics } = deps
  const refuseUpgrade = countRefusals(metrics)
  const passer = createUpgradePasser(log, deps.clients)
  const mayPass = (error: unknown): boolean => error === nobody || error === nodeAway
  const retryWindow = createRetryWindow({ retryWindowMs, ...deps, mayPass })
  const turns = createUpgradeReadQueue()
  let lookUps = 0

  const refuse = (request: IncomingMessage, socket: Duplex, error: unknown): void =>
    refuseUpgrade(socket, createRefusalAnswer(error, pathOf(request), requestIdOf(request.headers['x-request-id'], ids)))

  const listElsewhere = async (worlds: readonly string[]): Promise<readonly LiveNode[]> =>
    listTargets(await nodes.listKnown(), worlds).filter((node) => node.nodeId !== nodeId)

  /** Throws AppError `unavailable` if none of `targets` answers. */
  const passOn = async (targets: readonly LiveNode[], request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const addressed = targets.map(({ internalUrl, world = '' }) => ({ address: internalUrl, passedOn: world }))
    if (await passer.passOn(addressed, request, socket, head)) return
    throw targets.length === 0 ? nobody : nodeAway
  }

  /** A world of this process may not be stored yet while it starts. */
  const isWorld = async (name: string, request: IncomingMessage, stream: Duplex): Promise<boolean> => {
    if (worldNames().includes(name)) return true
    const client = { stream, address: deps.clients.of(request) }
    return (await turns.take(client, () => store.get(worldRecords, name))) !== undefined
  }

  const passOnPlayer = async (wanted: string | undefined, request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const targets = await listElsewhere(wanted === undefined ? worldNames() : [wanted])
    if (targets.length === 0 && wanted !== undefined && !(await isWorld(wanted, request, socket))) throw noWorld
    return passOn(targets, request, socket, head)
  }

  const findWorld = async (target: FeedTarget, request: IncomingMessage, stream: Duplex): Promise<string | undefined> => {
    if ('world' in target) return target.world
    return (await turns.take({ stream, address: deps.clients.of(request) }, () => findFeedZone(store, target.zoneId)))?.world
  }

  /**
   * If no node runs the world of a feed, or the registry is unavailable, this process serves the feed. A process that serves
   * nothing passes it to any node.
   */
  const routeFeed = async (world: string | undefined, request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const own = here()
    if (own !== undefined && (world === undefined || world === own.world)) {
      own.take(request, socket, head)
      return
    }
    const running = world === undefined ? [] : await listElsewhere([world])
    if (running.length > 0) return passOn(running, request, socket, head)
    const still = here()
    if (still !== undefined) {
      still.take(request, socket, head)
      return
    }
    const others = (await nodes.listKnown()).flatMap((node) => node.world ?? [])
    return passOn(await listElsewhere([...new Set([...worldNames(), ...others])]), request, socket, head)
  }

  /** A restarted node may get a request before it runs its world, while the registry lists its previous state. */
  const serveFeedHere = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const own = here()
    if (own === undefined) throw nobody
    own.take(request, socket, head)
  }

  const lookUp = async (route: () => Promise<void>): Promise<void> => {
    lookUps += 1
    try {
      if (lookUps > lookUpsMax) throw tooMany
      await route()
    } finally {
      lookUps -= 1
    }
  }

  const later = async (request: IncomingMessage, socket: Duplex, route: () => Promise<void>): Promise<void> => {
    socket.on('error', () => socket.destroy())
    try {
      requireWebSocket(request)
      await retryWindow.keepTrying(socket, route)
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ err: error }, 'an upgrade could not be passed on')
      if (hasLeft(error)) socket.destroy()
      else if (!socket.destroyed) refuse(request, socket, error)
    }
  }

  const routePlayer = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const asked = readWantedWorld(request.url ?? '')
    const passedFor = request.headers[passedOnHeader]
    // A connection for a world that was released since must not join another world.
    const wanted = asked ?? (typeof passedFor === 'string' ? passedFor : undefined)
    const own = here()
    if (own !== undefined && (wanted === undefined || wanted === own.world)) own.take(request, socket, head)
    else if (passedFor !== undefined) throw nobody
    else void later(request, socket, () => lookUp(() => passOnPlayer(wanted, request, socket, head)))
  }

  const route = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const path = pathOf(request)
    const target = feedTargetIn(path)
    if (target === undefined) {
      if (path !== '/realtime') throw nothingThere
      routePlayer(request, socket, head)
    } else if (request.headers[passedOnHeader] === undefined)
      void later(request, socket, async () => {
        // Retries of a feed must not block upgrades of players.
        const world = await findWorld(target, request, socket)
        await lookUp(() => routeFeed(world, request, socket, head))
      })
    else void later(request, socket, () => lookUp(() => serveFeedHere(request, socket, head)))
  }

  return {
    handleUpgrade: (request, socket, head) => {
      try {
        const ban = deps.activeSanctions.findAddressBan(deps.clients.of(request))
        if (ban !== undefined) throw accountBanned(ban)
        route(request, socket, head)
      } catch (error) {
        refuse(request, socket, error)
      }
    },
    close: () => {
      retryWindow.end()
      passer.close()
    },
  }
}
