import { type CallOutcome, gone } from './module-calls.ts'
import type { RunningModule } from './running-module.ts'

/** An answer that comes in a later tick. */
export type LaterAnswer = { settle: ((outcome: CallOutcome) => void) | undefined; outcome: CallOutcome | undefined }

/** The pending answers of modules, by the value of `game.later`. */
export const createLaterAnswers = () => {
  const answers = new WeakMap<object, LaterAnswer>()
  const pending = new WeakMap<RunningModule, Set<(outcome: CallOutcome) => void>>()
  return {
    create: (module: RunningModule): { readonly token: object; readonly settle: (outcome: CallOutcome) => void } => {
      const token = Object.freeze({})
      const answer: LaterAnswer = { settle: undefined, outcome: undefined }
      answers.set(token, answer)
      const others = pending.get(module) ?? new Set()
      pending.set(module, others)
      const settle = (outcome: CallOutcome): void => {
        others.delete(settle)
        if (answer.outcome !== undefined) return
        answer.outcome = outcome
        answer.settle?.(outcome)
      }
      others.add(settle)
      return { token, settle }
    },
    /** The module has stopped: settles its answers, also those whose work never ends. */
    end: (module: RunningModule): void => {
      for (const settle of [...(pending.get(module) ?? [])]) settle(gone)
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
