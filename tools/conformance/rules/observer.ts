import { check, type Feature } from '../check.ts'
import type { Answer } from '../client/http-client.ts'
import { Mismatch } from '../report/mismatch.ts'
import { Skipped } from '../report/skipped.ts'
import { type AnswerRule, answerRules, createFindUndescribed } from './answer-rules.ts'
import { type ApiDescription, findOperation, nameOperation, type Operation } from './api-description.ts'

/** Collects every answer of a run, and checks them all at the end. */
export type Observer = {
  note(answer: Answer): void
  /** The rules for every answer, and the description of each operation. */
  readonly features: readonly Feature[]
}

/** The count of answers for one rule, with a readable number of faults. */
type Tally = { seen: number; faulty: number; readonly faults: string[] }

const faultsShown = 3

const createTally = (): Tally => ({ seen: 0, faulty: 0, faults: [] })

const count = (tally: Tally, { sent, status }: Answer, fault: string | undefined): void => {
  tally.seen += 1
  if (fault === undefined) return
  tally.faulty += 1
  if (tally.faults.length < faultsShown)
    tally.faults.push(`${fault} in the ${status} to ${sent.method} ${sent.target} (request id ${sent.requestId})`)
}

const judge = (tally: Tally | undefined, expected: string): void => {
  if (tally === undefined || tally.seen === 0) throw new Skipped('there was no such answer')
  if (tally.faulty > 0)
    throw new Mismatch(expected, `other answers in ${tally.faulty} of ${tally.seen} cases: ${tally.faults.join('; ')}`)
}

export const createObserver = (api: ApiDescription): Observer => {
  const rules = new Map<AnswerRule, Tally>(answerRules.map((rule) => [rule, createTally()]))
  const operations = new Map<Operation, Tally>()
  const successes = new Set<Operation>()
  const findUndescribed = createFindUndescribed()

  const noteOperation = (answer: Answer): void => {
    const operation = findOperation(api, answer.sent.method, answer.sent.target)
    if (operation === undefined) return
    const tally = operations.get(operation) ?? createTally()
    operations.set(operation, tally)
    if (answer.status < 400 && answer.sent.method !== 'HEAD') successes.add(operation)
    count(tally, answer, findUndescribed(operation, answer))
  }

  const everyAnswer: Feature = {
    name: 'Every answer',
    checks: () =>
      [...rules].map(([{ name }, tally]) => check('nothing', name, async () => judge(tally, 'the same for every answer'))),
  }
  const asDescribed: Feature = {
    name: 'Answers as /api/openapi.json describes them',
    checks: ({ operations: all }) =>
      all.map((operation) =>
        check('nothing', nameOperation(operation), async () => {
          judge(operations.get(operation), 'the described answer')
          if (!successes.has(operation)) throw new Skipped('only refusals occurred, and they match the description')
        }),
      ),
  }
  return {
    note: (answer) => {
      for (const [rule, tally] of rules) count(tally, answer, rule.findFault(answer, api))
      noteOperation(answer)
    },
    features: [everyAnswer, asDescribed],
  }
}
