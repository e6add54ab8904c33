import { AppError } from '../../kernel/errors.ts'

/** Of a name that is another's, letter case and look-alikes aside. */
export const displayNameTaken = (): AppError =>
  new AppError('conflict', 'display-name-taken', 'Somebody bears that display name, or one that looks like it; choose another.', {
    errors: [{ pointer: '/displayName', message: 'is taken' }],
  })
