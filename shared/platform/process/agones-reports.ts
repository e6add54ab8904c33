import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'

/** Reports this node to Agones, through the REST interface of its SDK (https://agones.dev/site/docs/guides/client-sdks/rest/). */
export type Agones = {
  /** Reports that the node is alive, and its state (Allocated or Ready) if it changed. Never throws. */
  step(): Promise<void>
  /** Reports that the node shuts down, after its last session has ended. Never throws. */
  close(): Promise<void>
}

export type AgonesDeps = {
  /** `AGONES_SDK_HTTP_PORT`, the port of the sidecar. */
  readonly port: number
  readonly countSessions: () => number
  readonly clock: Clock
  readonly log: Log
}

/** Short enough for two requests between two health reports. */
const answerWithinMs = 1000

/** Players who reconnect soon find the node as they left it. */
const emptyForMs = 30_000

/**
 * Reports a node with sessions as Allocated, so that updates and scale-downs of the fleet do not stop it. After half a minute without
 * sessions it is Ready again, unless another process allocated it. The sidecar may start later than the node, so requests are repeated
 * until it answers.
 */
export const createAgones = ({ port, countSessions, clock, log }: AgonesDeps): Agones => {
  let reported: 'ready' | 'allocate' | undefined
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
      if (isAway) log.info({}, 'the Agones SDK answers again')
      isAway = false
    } catch (cause) {
      if (!isAway) log.warn({ err: cause }, 'the Agones SDK does not answer; retrying')
      isAway = true
    }
  }
  return {
    step: () =>
      attempt(async () => {
        await tell('health')
        const next = decide()
        if (next === reported) return
        await tell(next)
        reported = next
      }),
    close: () => attempt(() => tell('shutdown')),
  }
}
