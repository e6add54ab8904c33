import { AppError } from '../kernel/errors.ts'

/** One dependency's state by name; `detail` says what is wrong, in words fit for the public. */
type DependencyState = {
  readonly name: string
  /** What does not work without it. */
  readonly neededFor: string
  readonly ok: boolean
  readonly detail?: string
}

type ReadinessReport = {
  readonly ready: boolean
  readonly dependencies: readonly DependencyState[]
  /** Faults that take nothing down: a config broken on disk, groups that do not exist. */
  readonly warnings: readonly string[]
}

/** Whether this process may be sent traffic. */
export type Readiness = {
  check(): Promise<ReadinessReport>
  /** From now on not ready: the process is about to stop. */
  beginShutdown(): void
}

/** A question to one dependency: resolves when it answers. */
export type Probe = {
  readonly name: string
  readonly neededFor: string
  readonly probe: () => Promise<void>
  readonly timeoutMs: number
}

type ReadinessOptions = {
  readonly probes: readonly Probe[]
  /** Faults that take nothing down, in words fit for the public. */
  readonly warnings?: () => readonly string[] | Promise<readonly string[]>
}

const ask = async ({ name, neededFor, probe, timeoutMs }: Probe): Promise<DependencyState> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<DependencyState>((resolve) => {
    timer = setTimeout(() => resolve({ name, neededFor, ok: false, detail: 'does not answer in time' }), timeoutMs)
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
    clearTimeout(timer)
  }
}

/** Readiness by asking every dependency at once; callers at the same time share one round of questions. */
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

/** What a process that is not ready answers: `unavailable`, with the names of what is down. */
export const describeNotReady = ({ dependencies }: ReadinessReport): AppError => {
  const names = dependencies.filter(({ ok }) => !ok).map(({ name }) => name)
  return new AppError('unavailable', 'service-unavailable', `Not ready: ${names.join(', ')}.`)
}
