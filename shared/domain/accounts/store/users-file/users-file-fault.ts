import { AppError } from '../../../../kernel/errors.ts'

/** A fault of a users file with line and column, both from 1. `message` may contain names from the file: log it, do not send it. */
export class UsersFileFault extends Error {
  override readonly name = 'UsersFileFault'
  /** The same without any content of the file. */
  readonly summary: string
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(fault: {
    readonly summary: string
    readonly exact?: string | undefined
    readonly line?: number | undefined
    readonly column?: number | undefined
  }) {
    super(fault.exact ?? fault.summary)
    this.summary = fault.summary
    this.line = fault.line
    this.column = fault.column
  }
}

/** The error of every account query until the file is fixed: AppError `unavailable` `accounts-unreadable`. */
export const accountsUnreadable = (fault: UsersFileFault): AppError => {
  const { line, column, summary } = fault
  const place = line === undefined || column === undefined ? '' : ` at line ${line}, column ${column}`
  return new AppError(
    'unavailable',
    'accounts-unreadable',
    `The accounts file cannot be read: it ${summary}${place}. An operator must fix it. The server does not change the file until then.`,
    {
      cause: fault,
      retryAfterSeconds: 5,
      errors: [{ ...(line !== undefined && { line }), ...(column !== undefined && { column }), message: summary }],
    },
  )
}
