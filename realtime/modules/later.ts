import type { CallOutcome } from './module-calls.ts'

/** An answer that comes in a later tick. */
export type LaterAnswer = { settle: ((outcome: CallOutcome) => void) | undefined; outcome: CallOutcome | undefined }

/** The pending answers of modules, by the value of `game.later`. */
export const createLaterAnswers = () => {
  const answers = new WeakMap<object, LaterAnswer>()
  return {
    create: (): { readonly token: object; readonly settle: (outcome: CallOutcome) => void } => {
      const token = Object.freeze({})
      const answer: LaterAnswer = { settle: undefined, outcome: undefined }
      answers.set(token, answer)
      const settle = (outcome: CallOutcome): void => {
        answer.outcome = outcome
        answer.settle?.(outcome)
      }
      return { token, settle }
    },
    /** Calls `done` with the value of a handler: now, or when the answer that it promised is there. */
    follow: (outcome: CallOutcome, done: (outcome: CallOutcome) => void): void => {
      const answer =
        outcome.ok && typeof outcome.value === 'object' && outcome.value !== null ? answers.get(outcome.value) : undefined
      if (answer === undefined) done(outcome)
      else if (answer.outcome === undefined) answer.settle = done
      else done(answer.outcome)
    },
  }
}

export type LaterAnswers = ReturnType<typeof createLaterAnswers>
