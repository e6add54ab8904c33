import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'

/** What Agones is told of this node, through the REST interface of its SDK (https://agones.dev/site/docs/guides/client-sdks/rest/). */
export type Agones = {
  /** Says that the node lives, and that it is Allocated or Ready where that changed. Never throws. */
  step(): Promise<void>
  /** Says that the node is on its way out, once nobody is on it any more. Never throws. */
  close(): Promise<void>
}

export type AgonesDeps = {
  /** `AGONES_SDK_HTTP_PORT`, where the sidecar listens. */
  readonly port: number
  readonly countSessions: () => number
  readonly clock: Clock
  readonly log: Log
}

/** Half of what the Fleet's `health.periodSeconds` leaves between two signs of life, at the most. */
const everyMs = 2000
/** Two answers fit between two signs of life. */
const answerWithinMs = 1000
/** Players who come back at once find the node as they left it. */
const emptyForMs = 30_000

/**
 * A node with sessions is Allocated: an update of the fleet and a smaller fleet leave it alone. One without for half a minute is Ready
 * again, unless it was somebody else who allocated it. The sidecar may start later than the node and is asked until it answers.
 */
export const createAgones = ({ port, countSessions, clock, log }: AgonesDeps): Agones => {
  let told: 'ready' | 'allocate' | undefined
  let lastSessionMs = Number.NEGATIVE_INFINITY
  let isAway = false
  const tell = async (what: string): Promise<void> => {
    const response = await fetch(`http://localhost:${port}/${what}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(answerWithinMs),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`/${what} answered ${response.status}`)
  }
  const decide = (): 'ready' | 'allocate' => {
    const nowMs = clock.monotonic()
    if (countSessions() > 0) lastSessionMs = nowMs
    return nowMs - lastSessionMs < emptyForMs ? 'allocate' : 'ready'
  }
  const attempt = async (tellAll: () => Promise<void>): Promise<void> => {
    try {
      await tellAll()
      if (isAway) log.info({}, 'the SDK of Agones answers again')
      isAway = false
    } catch (cause) {
      if (!isAway) log.warn({ err: cause }, 'the SDK of Agones does not answer; it is asked again')
      isAway = true
    }
  }
  return {
    step: () =>
      attempt(async () => {
        await tell('health')
        const wanted = decide()
        if (wanted === told) return
        await tell(wanted)
        told = wanted
      }),
    close: () => attempt(() => tell('shutdown')),
  }
}

/** Tells Agones every two seconds how the node is, from now on; `close` ends that. */
export const startAgones = (deps: AgonesDeps): Pick<Agones, 'close'> => {
  const agones = createAgones(deps)
  let step = agones.step()
  const timer = setInterval(() => {
    step = step.then(agones.step)
  }, everyMs)
  timer.unref()
  return {
    close: async () => {
      clearInterval(timer)
      await step
      await agones.close()
    },
  }
}
