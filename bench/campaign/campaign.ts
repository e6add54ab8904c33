import type { House } from './house/house.ts'

/** A fault that a campaign found, with the data to reproduce it. */
export type Finding = {
  /** The violated expectation. */
  readonly what: string
  /** Its round, input or second. */
  readonly index: number
  readonly detail: Readonly<Record<string, unknown>>
  /** True if it is about times, rates or memory, which depend on the machine and its other work. */
  readonly isMeasured?: boolean
}

/** The plan of a campaign on one store. It ends at `amount` or `endsAtMs`, whichever comes first. */
export type Plan = {
  readonly seed: number
  /** In units of the campaign. */
  readonly amount: number
  /** By performance.now(). */
  readonly endsAtMs: number
  /** The index of its first round or input. */
  readonly from: number
  /** Runs only parts with one of these in their name, or all parts if empty. */
  readonly only: readonly string[]
}

/** Whether the plan includes the part with this name. */
export const isAskedFor = (name: string, { only }: Pick<Plan, 'only'>): boolean =>
  only.length === 0 || only.some((part) => name.includes(part))

/** Reports findings and progress. */
export type Report = {
  finding(finding: Finding): void
  note(text: string): void
}

/** Numbers of a run by name, for the closing JSON. */
export type Figures = Readonly<Record<string, unknown>>

export type Campaign = {
  readonly name: string
  readonly unit: 'rounds' | 'seconds for each attack' | 'minutes' | 'bots'
  readonly amount: number
  /** Additional settings of the server besides `campaignConfig`. */
  readonly serverConfig?: string
  run(house: House, plan: Plan, report: Report): Promise<Figures>
}
