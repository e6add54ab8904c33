import { durationForm } from '../../../shared/domain/sanctions/duration.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Argument, ArgumentValues, CommandContext } from '../command.ts'
import { findNumber, getText } from '../executor/read-arguments.ts'

const reason: Argument = { name: 'reason', kind: 'text' }

/** `target [duration] reason`: what is no duration begins the reason. */
export const timedForms = (target: Argument): readonly (readonly Argument[])[] => [
  [target, { name: 'duration', kind: 'duration' }, reason],
  [target, reason],
]

/** Meant as a duration, and none: a sanction without an end must not come of a slip. */
const meantAsDuration = /^([+-]?[\d.]\S*|never|forever|permanent|always)$/i

/** The reason, and the end where there is a duration before it. Throws AppError `invalid` for a reason that begins with what looks like one. */
export const readTimedReason = (
  { clock }: Pick<CommandContext, 'clock'>,
  args: ArgumentValues,
): { readonly reason: string; readonly until?: string } => {
  const text = getText(args, 'reason')
  const milliseconds = findNumber(args, 'duration')
  if (milliseconds !== undefined) return { reason: text, until: new Date(clock.now() + milliseconds).toISOString() }
  const [first = ''] = text.trim().split(/\s+/)
  if (!meantAsDuration.test(first)) return { reason: text }
  const detail = `"${first}" is not a duration with a reason behind it: write ${durationForm}, or leave it out for no end.`
  throw new AppError('invalid', 'bad-request', detail)
}

/** As part of a sentence. */
export const describeUntil = ({ until }: { readonly until?: string }): string =>
  until === undefined ? 'without an end' : `until ${until}`
