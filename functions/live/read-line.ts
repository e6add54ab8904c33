import { AppError } from '../../shared/kernel/errors.ts'
import { tameText } from '../../shared/kernel/tame-text.ts'

/** A line as players see it. Throws AppError `invalid` with this pointer if nothing of it is visible. */
export const readLine = (pointer: string, text: string): string => {
  const line = tameText(text)
  if (line.trim() !== '') return line
  throw new AppError('invalid', 'bad-request', 'The line is empty.', {
    errors: [{ pointer, message: 'must have a visible character' }],
  })
}
