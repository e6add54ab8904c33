import { AppError } from '../kernel/errors.ts'
import { startTimeLimit } from '../kernel/time-limit.ts'

/** The state of one dependency. `detail` is a public description of the fault. */
type DependencyState = {
  readonly name: string
  /** The features that need it. */
  readonly neededFor: string
  readonly ok: boolean
  readonly detail?: string
}

type ReadinessReport = {
  readonly ready: boolean
  readonly dependencies: readonly DependencyState[]
  /** Public warnings that do not make the process unready, such as an invalid config on disk or unknown groups. */
  readonly warnings: readonly string[]
}

/** Whether this process is ready for traffic. */
export type Readiness = {
  check(): Promise<ReadinessReport>
  /** Makes the process not ready, because it is about to stop. */
  beginShutdown(): void
}

/** A check of one dependency: resolves when it answers. */
export type Probe = {
  readonly name: string
  readonly neededFor: string
  readonly probe: () => Promise<void>
  readonly timeoutMs: number
}

type ReadinessOptions = {
  readonly probes: readonly Probe[]
  /** Public warnings that do not make the process unready. */
  readonly warnings?: () => readonly string[] | Promise<readonly string[]>
}

const ask = async ({ name, neededFor, probe, timeoutMs }: Probe): Promise<DependencyState> => {
  let endLimit = (): void => undefined
  const late = new Promise<DependencyState>((resolve) => {
    endLimit = startTimeLimit(timeoutMs, () => resolve({ name, neededFor, ok: false, detail: 'does not answer in time' }))
  })
  const answered = Promise.resolve()
    .then(probe)
    .then(
      () => ({ name, neededFor, ok: true }),
      (error: unknown) => ({
        name,
        neededFor,
        ok: false,
        detail: error instanceof AppError ? error.publicDetail : 'does not answer',
      }),
    )
  try {
    return await Promise.race([answered, late])
  } finally {
    endLimit()
  }
}

/** Checks all dependencies at the same time. Concurrent callers share one check. */
export const createReadiness = ({ probes, warnings = () => [] }: ReadinessOptions): Readiness => {
  let asking: Promise<readonly DependencyState[]> | undefined
  let stopping = false
  const askAll = async (): Promise<readonly DependencyState[]> => {
    try {
      return await Promise.all(probes.map(ask))
    } finally {
      asking = undefined
    }
  }
  return {
    check: async (): Promise<ReadinessReport> => {
      asking ??= askAll()
      const [states, warned] = await Promise.all([asking, warnings()])
      const dependencies = stopping
        ? [...states, { name: 'process', neededFor: 'everything', ok: false, detail: 'is shutting down' }]
        : states
      return { ready: dependencies.every(({ ok }) => ok), dependencies, warnings: warned }
    },
    beginShutdown: () => {
      stopping = true
    },
  }
}

/** The response of a process that is not ready: `unavailable`, with the names of the failed dependencies. */
export const describeNotReady = ({ dependencies }: ReadinessReport): AppError => {
  const names = dependencies.filter(({ ok }) => !ok).map(({ name }) => name)
  return new AppError('unavailable', 'service-unavailable', `Not ready: ${names.join(', ')}.`)
}
