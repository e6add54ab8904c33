import { AppError } from '../../shared/kernel/errors.ts'
import { tameText } from '../../shared/kernel/tame-text.ts'

/** A line as players are shown it. Throws AppError `invalid` with that pointer where nothing is left of it. */
export const readLine = (pointer: string, text: string): string => {
  const line = tameText(text)
  if (line.trim() !== '') return line
  throw new AppError('invalid', 'bad-request', 'The line is empty.', {
    errors: [{ pointer, message: 'must have a character that can be seen' }],
  })
}
