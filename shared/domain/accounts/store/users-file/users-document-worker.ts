import { type ReadAccounts, readUsersDocument } from './users-file-document.ts'
import { UsersFileFault } from './users-file-fault.ts'

export type DocumentAnswer = ReadAccounts | { readonly fault: ConstructorParameters<typeof UsersFileFault>[0] }

/** `readUsersDocument` in a worker thread, which it may block. */
export const runDocumentJob = (text: string): DocumentAnswer => {
  try {
    return readUsersDocument(text)
  } catch (fault) {
    if (!(fault instanceof UsersFileFault)) throw fault
    const { summary, message, line, column } = fault
    return { fault: { summary, exact: message, line, column } }
  }
}
