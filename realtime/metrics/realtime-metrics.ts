import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Messages and bytes of all connections since the last tick. */
export type Traffic = { messagesIn: number; bytesIn: number; framesOut: number; bytesOut: number }

/** The number of waiting entries of a node, by kind. */
export type QueueDepths = {
  /** Messages and results for the next tick. */
  readonly inbox: number
  /** Asynchronous work for a later tick: token checks, commands, audit entries. */
  readonly work: number
  /** Edits that are not durable yet. */
  readonly edits: number
  /** Changed columns that are not written yet. */
  readonly chunkWrites: number
  /** New columns that are not written yet. */
  readonly terrainWrites: number
  /** Places of players that are not written yet. */
  readonly places: number
}

/** The current state of a node. `damaged` counts from the start. */
export type RealtimeState = {
  readonly sessions: { readonly connected: number; readonly detached: number }
  /** The number of open feed sockets. */
  readonly feeds: number
  readonly columns: { readonly loaded: number; readonly loading: number; readonly damaged: number }
  readonly queues: QueueDepths
}

/** The lease of the node's world. */
export type LeaseState = { readonly fence: number; isHeld(): boolean; sinceRenewalMs(): number }

/**
 * The outcomes of chat lines.
 * - said: sent on this node
 * - heard: received from another node
 * - refused: not sent because there was too much chat
 * - dropped: from another node, not sent because there was too much chat
 */
export const chatOutcomes = ['said', 'heard', 'refused', 'dropped'] as const
export type ChatOutcome = (typeof chatOutcomes)[number]

/** Lines of this node that were written to the chat log, or lost because too many waited for the store. */
const chatLogOutcomes = ['stored', 'lost'] as const
export type ChatLogOutcome = (typeof chatLogOutcomes)[number]

export const createTraffic = (): Traffic => ({ messagesIn: 0, bytesIn: 0, framesOut: 0, bytesOut: 0 })

/** Label values by their names in the code. */
const labelled = ({ inbox, work, edits, chunkWrites, terrainWrites, places }: QueueDepths): Readonly<Record<string, number>> => ({
  inbox,
  work,
  edits,
  places,
  chunk_writes: chunkWrites,
  terrain_writes: terrainWrites,
})

export const noQueues: QueueDepths = { inbox: 0, work: 0, edits: 0, chunkWrites: 0, terrainWrites: 0, places: 0 }
const emptyNode: RealtimeState = {
  sessions: { connected: 0, detached: 0 },
  feeds: 0,
  columns: { loaded: 0, loading: 0, damaged: 0 },
  queues: noQueues,
}
const noLease: LeaseState = { fence: 0, isHeld: () => false, sinceRenewalMs: () => 0 }

type NodeState = { readonly lease: LeaseState; readonly state: () => RealtimeState }

/** Gauges that read the state of the node on demand. The returned function sets the node. Until then all are 0. */
const watchNodeState = (registry: Registry) => {
  let state = (): RealtimeState => emptyNode
  let lease = noLease
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `gatehouse_realtime_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
  gauge('sessions_connected', 'Sessions with a connection.', () => state().sessions.connected)
  gauge('sessions_detached', 'Sessions without a connection, which wait for their player.', () => state().sessions.detached)
  gauge('feeds_open', 'Open feed sockets.', () => state().feeds)
  gauge('columns_loaded', 'Columns of the world in memory.', () => state().columns.loaded)
  gauge('columns_loading', 'Columns that are being loaded.', () => state().columns.loading)
  gauge('columns_damaged', 'Damaged records of columns since the start.', () => state().columns.damaged)
  gauge('lease_held', '1 while the node may write its world, otherwise 0.', () => (lease.isHeld() ? 1 : 0))
  gauge('lease_fence', 'The fence of the lease of the world. Each holder has a higher one.', () => lease.fence)
  gauge('lease_age_seconds', 'Time since the lease was last renewed.', () => lease.sinceRenewalMs() / 1000)
  new Gauge({
    name: 'gatehouse_realtime_queue_depth',
    help: 'Waiting entries: messages for the next tick (`inbox`), asynchronous work (`work`), unwritten `edits`, columns (`chunk_writes`, `terrain_writes`) and `places`.',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, depth] of Object.entries(labelled(state().queues))) this.set({ queue }, depth)
    },
  })
  return (node: NodeState): void => {
    state = node.state
    lease = node.lease
  }
}

/** Records by the names of modules, which come from the modules folder and `modules.yaml`. */
const createModuleMetrics = (registry: Registry) => {
  const registers = [registry]
  const labelNames = ['module']
  const tickSeconds = new Histogram({
    name: 'gatehouse_module_tick_seconds',
    help: 'Time of the code of a module in a tick in which it ran.',
    labelNames,
    buckets: [0.0001, 0.0005, 0.001, 0.002, 0.004, 0.01, 0.025, 0.05, 0.1, 0.25],
    registers,
  })
  const counter = (name: string, help: string): ((module: string, count: number) => void) => {
    const counted = new Counter({ name: `gatehouse_module_${name}`, help, labelNames, registers })
    return (module, count) => counted.inc({ module }, count)
  }
  const faults = counter('faults_total', 'Handlers of a module that failed.')
  const cuts = counter('cut_total', 'Handlers of a module that were ended by the time limit.')
  return {
    /** The time of the module's code in a tick. */
    observeTick: (module: string, seconds: number): void => tickSeconds.observe({ module }, seconds),
    countFault: (module: string): void => faults(module, 1),
    countCut: (module: string): void => cuts(module, 1),
    countBytes: counter('bytes_out_total', 'Bytes of texts and pushes of a module to clients.'),
    countRecordWrites: counter(
      'record_writes_total',
      'Values that a module wrote or deleted in the store: records, data of players, and states.',
    ),
  }
}

/** The label values that other features declare. Their series exist from the start. */
export type MetricLabels = {
  readonly closings: readonly string[]
  readonly feedClosings: readonly string[]
  readonly commandRefusals: readonly string[]
}

/** The reasons of EditResult, without the text after the colon. Any other reason counts as `other`. */
const editOutcomes: ReadonlySet<string> = new Set([
  ...['ok', 'missing-permission', 'invalid', 'unknown-block', 'out-of-reach', 'not-loaded', 'occupied', 'zones-unknown'],
  ...['busy', 'unavailable', 'storage-full', 'lease-lost', 'zone-rules', 'module-rules', 'module-failed', 'other'],
])

const moveRefusals = ['too-fast', 'out-of-bounds', 'invalid', 'blocked', 'edge', 'zone-closed', 'module-rules'] as const

/** The status codes of refused upgrades. */
const refusalStatuses = ['400', '401', '403', '404', '429', '500', '503']

const oneOf = (known: ReadonlySet<string>, name: string): string => (known.has(name) ? name : 'other')

/**
 * Records into `registry` under names that begin with `gatehouse_realtime_`. Label values come from fixed lists. All known series
 * exist from the start with 0.
 */
export const createRealtimeMetrics = (
  registry = new Registry(),
  { closings, feedClosings, commandRefusals }: MetricLabels = { closings: [], feedClosings: [], commandRefusals: [] },
) => {
  const commandOutcomes: ReadonlySet<string> = new Set(['ok', ...commandRefusals, 'other'])
  const registers = [registry]
  const counter = (name: string, help: string) => new Counter({ name: `gatehouse_realtime_${name}`, help, registers })
  const counterBy = <V extends string>(
    label: string,
    values: Iterable<V>,
    name: string,
    help: string,
  ): ((value: V, count?: number) => void) => {
    const counted = new Counter({ name: `gatehouse_realtime_${name}`, help, labelNames: [label], registers })
    for (const value of values) counted.inc({ [label]: value }, 0)
    return (value, count = 1) => counted.inc({ [label]: value }, count)
  }
  const tickSeconds = new Histogram({
    name: 'gatehouse_realtime_tick_seconds',
    help: 'Duration of a tick.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.25],
    registers,
  })
  const tickIntervals = new Histogram({
    name: 'gatehouse_realtime_tick_interval_seconds',
    help: 'Time between the starts of two ticks. 0.05 at 20 ticks per second.',
    buckets: [0.025, 0.04, 0.045, 0.049, 0.05, 0.051, 0.052, 0.053, 0.054, 0.055, 0.06, 0.075, 0.1, 0.25, 1],
    registers,
  })
  const overruns = counter('tick_overruns_total', 'Ticks that took longer than the tick interval.')
  const messagesIn = counter('messages_received_total', 'Messages from clients.')
  const bytesIn = counter('bytes_received_total', 'Bytes of messages from clients.')
  const framesOut = counter('frames_sent_total', 'Frames to clients.')
  const bytesOut = counter('bytes_sent_total', 'Bytes of frames to clients.')
  const feedFrames = counter('feed_frames_sent_total', 'Frames to feeds.')
  const feedBytes = counter('feed_bytes_sent_total', 'Bytes of frames to feeds.')
  const closing = counterBy('code', closings, 'closings_total', 'Player connections that the server closed.')
  const refusal = counterBy('status', refusalStatuses, 'upgrades_refused_total', 'Refused upgrades to WebSocket, by status.')
  const feedClosing = counterBy('code', feedClosings, 'feed_closings_total', 'Feeds that the server closed.')
  const edit = counterBy(
    'outcome',
    editOutcomes,
    'edits_total',
    'Edits of players that became durable (`ok`) or were refused, by reason.',
  )
  const refusedMove = counterBy(
    'reason',
    moveRefusals,
    'moves_refused_total',
    'Refused moves, which are answered with the position of the player.',
  )
  const command = counterBy('outcome', commandOutcomes, 'commands_total', 'Commands that ran (`ok`) or were refused, by code.')
  const chat = counterBy(
    'outcome',
    chatOutcomes,
    'chat_lines_total',
    'Chat lines: `said` on this node, `heard` from other nodes, `refused` as busy, or `dropped` from other nodes because there were too many.',
  )
  const chatLog = counterBy(
    'outcome',
    chatLogOutcomes,
    'chat_log_lines_total',
    'Chat lines that were written to the chat log (`stored`), or not because too many waited for the store (`lost`).',
  )
  const watchState = watchNodeState(registry)
  let stepSeconds = Number.POSITIVE_INFINITY
  return {
    /** A tick with its duration, the time since the start of the previous tick, and the traffic until its end. */
    observeTick: (seconds: number, sincePreviousSeconds: number, traffic: Readonly<Traffic>): void => {
      tickSeconds.observe(seconds)
      tickIntervals.observe(sincePreviousSeconds)
      if (seconds > stepSeconds) overruns.inc()
      messagesIn.inc(traffic.messagesIn)
      bytesIn.inc(traffic.bytesIn)
      framesOut.inc(traffic.framesOut)
      bytesOut.inc(traffic.bytesOut)
    },
    /** Sets the tick rate, and how to read the state of the node. */
    watch: (node: NodeState & { readonly tickRate: number }): void => {
      stepSeconds = 1 / node.tickRate
      watchState(node)
    },
    countClosing: closing,
    countRefusedUpgrade: (status: number): void => refusal(String(status)),
    countFeedClosing: feedClosing,
    countFeedFrame: (bytes: number): void => {
      feedFrames.inc()
      feedBytes.inc(bytes)
    },
    /** An edit of a player is durable, or was refused for this reason. */
    countEdit: (refusal: string | undefined): void => edit(oneOf(editOutcomes, refusal?.split(':', 1)[0] ?? 'ok')),
    countRefusedMove: refusedMove,
    /** A command was run, or refused with this code. */
    countCommand: (outcome: string): void => command(oneOf(commandOutcomes, outcome)),
    countChat: (outcome: ChatOutcome, lines: number): void => chat(outcome, lines),
    countChatLog: (outcome: ChatLogOutcome, lines: number): void => chatLog(outcome, lines),
    modules: createModuleMetrics(registry),
  }
}

export type RealtimeMetrics = ReturnType<typeof createRealtimeMetrics>

/** Receives every tick, and how to read the state of the node. */
export type TickObserver = Pick<RealtimeMetrics, 'observeTick' | 'watch'>

/** `metrics` that also send every tick to `observer`. */
export const withObserver = (metrics: RealtimeMetrics, observer: TickObserver): RealtimeMetrics => ({
  ...metrics,
  observeTick: (...tick) => {
    metrics.observeTick(...tick)
    observer.observeTick(...tick)
  },
  watch: (node) => {
    metrics.watch(node)
    observer.watch(node)
  },
})
