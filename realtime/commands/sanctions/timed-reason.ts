import { describeDuration, durationForm } from '../../../shared/domain/sanctions/duration.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Argument, ArgumentValues, CommandContext } from '../command.ts'
import { findNumber, getText } from '../executor/read-arguments.ts'

const reason: Argument = { name: 'reason', kind: 'text' }

/** `target [duration] reason`. A word that is not a duration begins the reason. */
export const timedForms = (target: Argument): readonly (readonly Argument[])[] => [
  [target, { name: 'duration', kind: 'duration' }, reason],
  [target, reason],
]

/** A word that looks like a duration but is not one. Without this check a typo would cause a sanction without an end. */
const meantAsDuration = /^([+-]?[\d.]\S*|never|forever|permanent|always)$/i

/**
 * The reason, and the end if a duration comes before it. Throws AppError `invalid` if the reason begins with a mistyped duration.
 */
export const readTimedReason = (
  { clock }: Pick<CommandContext, 'clock'>,
  args: ArgumentValues,
): { readonly reason: string; readonly until?: string } => {
  const text = getText(args, 'reason')
  const milliseconds = findNumber(args, 'duration')
  if (milliseconds !== undefined) return { reason: text, until: new Date(clock.now() + milliseconds).toISOString() }
  const [first = ''] = text.trim().split(/\s+/)
  if (!meantAsDuration.test(first)) return { reason: text }
  const detail = `"${first}" is not a duration followed by a reason. Write ${durationForm}, or leave it out to set no end.`
  throw new AppError('invalid', 'bad-request', detail)
}

/** How long a sanction or grant lasts from now on, as part of a sentence: `for 2 hours`, `permanently`. */
export const describeTerm = ({ until }: { readonly until?: string }, nowMs: number): string =>
  until === undefined ? 'permanently' : `for ${describeDuration(Date.parse(until) - nowMs)}`
