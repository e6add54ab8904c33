import { AppError } from '../../../../kernel/errors.ts'

/** What is wrong with a users file, and where, both from 1. `message` may hold names out of the file: for the log, not for answers. */
export class UsersFileFault extends Error {
  override readonly name = 'UsersFileFault'
  /** The same without anything out of the file. */
  readonly summary: string
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(fault: { readonly summary: string; readonly exact?: string; readonly line?: number; readonly column?: number }) {
    super(fault.exact ?? fault.summary)
    this.summary = fault.summary
    this.line = fault.line
    this.column = fault.column
  }
}

/** What everyone who asks for an account is told until the file is mended: AppError `unavailable`, slug `accounts-unreadable`. */
export const accountsUnreadable = (fault: UsersFileFault): AppError => {
  const { line, column, summary } = fault
  const place = line === undefined || column === undefined ? '' : ` at line ${line}, column ${column}`
  return new AppError(
    'unavailable',
    'accounts-unreadable',
    `The accounts file cannot be read: it ${summary}${place}. An operator must mend it; nothing writes over it until then.`,
    {
      cause: fault,
      retryAfterSeconds: 5,
      errors: [{ ...(line !== undefined && { line }), ...(column !== undefined && { column }), message: summary }],
    },
  )
}
