import type { House } from './house/house.ts'

/** What a campaign found to be wrong, with what it takes to see it again. */
export type Finding = {
  /** What should have been true. */
  readonly what: string
  /** The round, the input or the second of it. */
  readonly index: number
  readonly detail: Readonly<Record<string, unknown>>
  /** It is a matter of times, rates or memory, which depend on the machine and on what else it does. */
  readonly isMeasured?: boolean
}

/** What a campaign shall do on one store. Whichever of `amount` and `endsAtMs` comes first ends it. */
export type Plan = {
  readonly seed: number
  /** In the campaign's unit. */
  readonly amount: number
  /** By performance.now(). */
  readonly endsAtMs: number
  /** The index of its first round or input. */
  readonly from: number
  /** Only the parts whose name holds one of these; all where there is none. */
  readonly only: readonly string[]
}

/** Whether the part of a campaign with this name was asked for. */
export const isAskedFor = (name: string, { only }: Pick<Plan, 'only'>): boolean =>
  only.length === 0 || only.some((part) => name.includes(part))

/** Tells of findings as they are made, and of what is going on. */
export type Report = {
  finding(finding: Finding): void
  note(text: string): void
}

/** Numbers of a run by name, for whoever reads the closing JSON. */
export type Figures = Readonly<Record<string, unknown>>

export type Campaign = {
  readonly name: string
  readonly unit: 'rounds' | 'inputs' | 'seconds for each attack' | 'minutes'
  readonly amount: number
  /** Settings of the server that it needs beside `campaignConfig`. */
  readonly serverConfig?: string
  run(house: House, plan: Plan, report: Report): Promise<Figures>
}
