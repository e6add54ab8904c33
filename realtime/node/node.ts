import type { IncomingMessage } from 'node:http'
import { openClientAddresses } from '../../shared/domain/auth/client-address.ts'
import { createDayRecords, type NodeStep } from '../../shared/domain/node-reports/day-records.ts'
import { createNodeDirectory } from '../../shared/domain/presence/node-directory.ts'
import type { NodeFacts, NodeState } from '../../shared/domain/presence/presence.ts'
import { createAcceptsHost } from '../../shared/kernel/known-hosts.ts'
import { problems } from '../../shared/kernel/problems/problems.ts'
import { describeNotReady, type Readiness } from '../../shared/services/readiness.ts'
import { createServiceReadiness } from '../../shared/services/service-readiness.ts'
import type { Services } from '../../shared/services/wire-services.ts'
import type { LivePlayers } from '../commands/command.ts'
import { withObserver } from '../metrics/realtime-metrics.ts'
import { createStepHistory, reportSteps } from '../metrics/step-history.ts'
import type { ModuleHost } from '../modules/module-host.ts'
import { createUpgradeRouter } from '../routing/upgrade-router.ts'
import type { PlainAnswer, PlainAnswers } from '../socket/answer-plain-requests.ts'
import { openTakenWorld } from '../world/open-world.ts'
import { awaitWorld, findFreeWorld, type Holders, type TakenWorld, takeWorld, type WorldTenure } from '../world/take-world.ts'
import type { RunningGameOptions } from './compose-game.ts'
import { handOver } from './hand-over.ts'
import { listenForUpgrades } from './listen-for-upgrades.ts'
import { createPresenceKeeper } from './presence-keeper.ts'
import { type RunningGame, startGame } from './running-game.ts'
import type { RealtimeServer } from './server.ts'
import { createSuccessors } from './successors.ts'

const retryAfterSeconds = 2

const answerReadiness = async (readiness: Pick<Readiness, 'check'>): Promise<PlainAnswer> => {
  const report = await readiness.check()
  if (report.ready) return { status: 200, body: report }
  const { slug, publicDetail } = describeNotReady(report)
  const problem = {
    type: `/problems/${slug}`,
    title: problems[slug].title,
    status: 503,
    detail: publicDetail,
    instance: '/readyz',
  }
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': String(retryAfterSeconds) }
  return { status: 503, headers, body: { ...problem, ...report } }
}

/** `/healthz` and `/readyz` of the real-time node, in the same format as the HTTP half. */
const createHealthAnswers = (readiness: Pick<Readiness, 'check'>): PlainAnswers =>
  new Map<string, () => Promise<PlainAnswer>>([
    ['/healthz', async () => ({ status: 200, body: { status: 'ok' } })],
    ['/readyz', () => answerReadiness(readiness)],
  ])

export type NodeOptions = Omit<RunningGameOptions, 'nodeId' | 'nodes' | 'clients' | 'presenceKeeper'> & {
  readonly tenure: WorldTenure
  /** If other nodes run all worlds, wait for a free one. Otherwise the start fails. */
  readonly standby?: boolean
  /** The time limit of `close`. 10 s if absent. */
  readonly drainLimitMs?: number
}

/** The addresses of a node, without trailing slashes. */
export type NodeAddresses = Pick<NodeFacts, 'url' | 'internalUrl'>

/** The real-time node. It runs a world or is a standby. */
export type RealtimeNode = Pick<RealtimeServer, 'handleUpgrade'> & {
  /** The players of the world. Undefined while the node is a standby. */
  live(): LivePlayers | undefined
  /** The modules of the world. Undefined while the node is a standby. */
  modules(): ModuleHost | undefined
  /** Resolves when it runs a world. `standsBy` gets the holders of the worlds that it waits for. */
  whenRunning(standsBy: (holders: Holders) => void): Promise<void>
  /** Called once, when the node must stop: another node may run its world, or the world that became free cannot be used. */
  onFault(listener: (fault: string) => void): void
  /** Opens a separate listener, which also answers `/healthz` and `/readyz`. Resolves to its port. */
  listen(port: number, host: string): Promise<number>
  /** Makes the node known to other nodes, with its addresses. */
  announce(addresses: NodeAddresses): void
  /**
   * Hands the world over to the next node, and sends the players there or asks them to return later. Resolves when all players have
   * left.
   */
  close(): Promise<void>
}

/** Runs the first free world of its tenure, or becomes a standby. Throws like `takeWorld` and `openTakenWorld`. */
export const startNode = async (services: Services, options: NodeOptions): Promise<RealtimeNode> => {
  const { configs, clock, ids, events, log } = services
  const { tenure, standby = false, drainLimitMs = 10_000, serverVersion } = options
  const nodeId = ids.uuid()
  const history = createStepHistory(services)
  const metrics = withObserver(options.metrics, history.metrics)
  const days = createDayRecords(services.store, log)
  let worldId: string | undefined
  const startedAt = clock.now()
  const readiness = createServiceReadiness(services)
  const successors = createSuccessors({ ...services, nodeId })
  const seeking = new AbortController()
  const listeners: ((fault: string) => void)[] = []
  const standbyListeners: ((holders: Holders) => void)[] = []
  const runListeners: (() => void)[] = []
  let holders: Holders | undefined
  const nodes = createNodeDirectory(services)
  const clients = await openClientAddresses(services)
  const router = createUpgradeRouter({
    ...services,
    nodeId,
    nodes,
    clients,
    metrics,
    worldNames: () => (game === undefined ? tenure.worldNames : [game.worldName]),
    here: () => (game === undefined || isWorldGone ? undefined : { world: game.worldName, take: game.handleUpgrade }),
  })
  const stops: (() => void)[] = [successors.close, router.close]
  let addresses: NodeAddresses | undefined
  let state: NodeState = 'standby'
  let game: RunningGame | undefined
  let isWorldGone = false
  let taking: Promise<void> | undefined
  let fault: string | undefined
  let closing: Promise<void> | undefined

  const facts = (): NodeFacts | undefined =>
    addresses && {
      ...addresses,
      world: game?.worldName,
      fence: game?.fence ?? 0,
      state,
      startedAt,
      version: serverVersion,
      maxSessions: configs.get('server.yaml').realtime.maxSessions,
    }
  const presenceKeeper = createPresenceKeeper({ node: services.presence.openNode(nodeId), facts, log })

  const fail = (reason: string): void => {
    fault ??= reason
    for (const listener of listeners.splice(0)) listener(fault)
  }
  const tellTaken = async (): Promise<void> => {
    // Do this first: subscribers of the event must find this node in the registry.
    await presenceKeeper.tellNow()
    if (game !== undefined && addresses !== undefined)
      await events.publish('world-taken', { world: game.worldName, nodeId, url: addresses.url })
  }
  const run = async (taken: TakenWorld): Promise<void> => {
    const world = await openTakenWorld(services, taken)
    try {
      game = await startGame(services, world, { ...options, metrics, nodeId, nodes, clients, presenceKeeper })
    } catch (error) {
      await world.close()
      throw error
    }
    game.onWorldLost(() => fail('another node may now run the world'))
    state = 'ready'
    const { id } = world.record
    worldId = id
    void days.load(id, clock.now()).then(history.restoreDay)
    for (const goOn of runListeners.splice(0)) goOn()
    void tellTaken()
  }
  const takeOver = async (): Promise<void> => {
    const taken = await awaitWorld(services, tenure, seeking.signal, (found) => {
      holders = found
      for (const tell of standbyListeners) tell(found)
    })
    if (taken === undefined) return
    log.info({ world: taken.name }, 'this node takes over the world')
    if (seeking.signal.aborted) await taken.lease.release()
    else await run(taken)
  }

  const stop = async (): Promise<void> => {
    readiness.beginShutdown()
    seeking.abort()
    await taking
    state = 'draining'
    void presenceKeeper.tellNow()
    const worldGone = (): void => {
      isWorldGone = true
    }
    if (game !== undefined) await handOver(game, { events, clock, log, nodeId, successors, drainLimitMs, worldGone })
    await presenceKeeper.close()
    await endReports()
    for (const end of stops) end()
  }

  const runFree = async (): Promise<boolean> => {
    const free = await (standby ? findFreeWorld : takeWorld)(services, tenure)
    if (free === undefined) return false
    if (standby) log.info({ world: free.name }, 'the world is free: this node runs it')
    await run(free)
    return true
  }
  const isRunning = await runFree().catch((error: unknown) => {
    for (const end of stops) end()
    throw error
  })
  const keep = async (step: NodeStep): Promise<void> => {
    if (worldId !== undefined) await days.keep(worldId, step)
  }
  const endReports = reportSteps({ ...services, nodeId, keep }, history)
  if (!isRunning)
    taking = takeOver().catch((error: unknown) => {
      log.error({ err: error }, 'the world that became free cannot be run')
      fail('the world that became free cannot be run')
    })
  presenceKeeper.start()

  return {
    handleUpgrade: router.handleUpgrade,
    live: () => game?.live,
    modules: () => game?.moduleHost,
    whenRunning: (standsBy) => {
      standbyListeners.push(standsBy)
      if (holders !== undefined) standsBy(holders)
      return new Promise((resolve) => {
        if (game === undefined) runListeners.push(resolve)
        else resolve()
      })
    },
    onFault: (listener) => {
      listeners.push(listener)
      if (fault !== undefined) fail(fault)
    },
    listen: async (port, host) => {
      const answers = createHealthAnswers(readiness)
      const accepts = createAcceptsHost({
        listensOn: host,
        urls: [options.baseUrl, addresses?.url],
        hosts: () => configs.get('server.yaml').http.hosts,
      })
      // Another process of Gatehouse keeps the host name of the client's request, which it has already checked.
      const acceptsHost = (request: IncomingMessage) => accepts(request.headers.host) || clients.isHandedOn(request)
      const { handleUpgrade } = router
      const listener = await listenForUpgrades({ port, host, answers, acceptsHost, handleUpgrade, ids: services.ids, log })
      stops.push(listener.close)
      return listener.port
    },
    announce: (known) => {
      addresses = known
      void tellTaken()
    },
    close: () => {
      closing ??= stop()
      return closing
    },
  }
}
