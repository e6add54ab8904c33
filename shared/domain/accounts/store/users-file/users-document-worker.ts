import { readUsersDocument } from './users-file-document.ts'
import { UsersFileFault } from './users-file-fault.ts'

export type DocumentAnswer =
  /** The accounts as JSON, a few hundred in each list, so that the reader can pause in between. */
  | { readonly lists: readonly string[]; readonly warnings: readonly string[]; readonly fault?: undefined }
  | { readonly fault: Pick<UsersFileFault, 'summary' | 'line' | 'column'> & { readonly exact: string } }

const accountsPerList = 250

/** `readUsersDocument` in a worker thread, which it may block. */
export const runDocumentJob = (text: string): DocumentAnswer => {
  try {
    const { accounts, warnings } = readUsersDocument(text)
    const lists: string[] = []
    for (let at = 0; at < accounts.length; at += accountsPerList)
      lists.push(JSON.stringify(accounts.slice(at, at + accountsPerList)))
    return { lists, warnings }
  } catch (fault) {
    if (!(fault instanceof UsersFileFault)) throw fault
    const { summary, message, line, column } = fault
    return { fault: { summary, exact: message, line, column } }
  }
}
