import { readUsersDocument } from './users-file-document.ts'
import { UsersFileFault } from './users-file-fault.ts'

export type DocumentAnswer =
  /** The accounts as JSON, some hundreds a list, so that whoever reads them may pause in between. */
  | { readonly lists: readonly string[]; readonly warnings: readonly string[]; readonly fault?: undefined }
  | { readonly fault: Pick<UsersFileFault, 'summary' | 'line' | 'column'> & { readonly exact: string } }

const accountsPerList = 250

/** What a worker thread runs: `readUsersDocument`, since nothing else waits for this thread. */
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
