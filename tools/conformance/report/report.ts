import type { ConformanceOptions } from '../arguments/conformance-arguments.ts'
import type { ServerFacts } from '../clean-up.ts'
import type { Credentials } from '../client/administrator.ts'
import type { Redactor } from '../client/http-client.ts'
import type { ApiDescription } from '../rules/api-description.ts'
import { countOutcomes, formatOutcome, formatSummary } from './format-report.ts'
import type { Outcome } from './outcome.ts'

/** The output of a run: as it goes, or one JSON object at the end. */
export type Report = {
  begin(): void
  add(outcome: Outcome): void
  /** A note besides the checks, for people who wait. */
  note(text: string): void
  /** Returns the exit status: 1 if a check failed, or if an interruption skipped some. */
  end(left: readonly string[], interrupted: boolean): 0 | 1
}

export type ReportInputs = {
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  readonly redactor: Redactor
  readonly options: ConformanceOptions
  readonly credentials: Credentials
  readonly api: ApiDescription
  readonly facts: ServerFacts
  readonly name: string
}

const describeRun = ({ options, credentials, api, facts, name }: ReportInputs): string => {
  const who = credentials.kind === 'none' ? 'as nobody' : 'as an administrator'
  const writing = options.write === 'nothing' ? 'reading only' : `writing under the name ${name}`
  return `Gatehouse ${api.version} at ${options.url}, sign-in by ${facts.provider}: ${who}, ${writing}\n`
}

/** Creates a report that never shows a secret. */
export const createReport = (inputs: ReportInputs): Report => {
  const { print, complain, redactor, options, api, name } = inputs
  const outcomes: Outcome[] = []
  const show = (text: string): void => print(redactor.redact(text))
  let feature: string | undefined
  return {
    begin: () => {
      if (!options.json) show(describeRun(inputs))
    },
    add: (outcome) => {
      outcomes.push(outcome)
      if (options.json) return
      if (outcome.feature !== feature) show(`\n${outcome.feature}\n`)
      feature = outcome.feature
      show(formatOutcome(outcome))
    },
    note: (text) => complain(`${redactor.redact(text)}\n`),
    end: (left, interrupted) => {
      const totals = countOutcomes(outcomes)
      if (options.json) {
        const whole = { url: options.url, version: api.version, name, interrupted, ...totals, left, checks: outcomes }
        show(`${JSON.stringify(whole, null, 2)}\n`)
      } else show(formatSummary(outcomes, left))
      return totals.failed > 0 || interrupted ? 1 : 0
    },
  }
}
