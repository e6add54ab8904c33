import { createThreadPool, type ThreadPool } from '../../../../kernel/thread-pool.ts'
import { moduleBeside } from '../../../../platform/process/module-beside.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import type { DocumentAnswer } from './users-document-worker.ts'
import { type ReadAccounts, readUsersDocument } from './users-file-document.ts'
import { UsersFileFault } from './users-file-fault.ts'

/** Parses whole users files as YAML without blocking the event loop. */
export type UsersDocumentReader = {
  /** The result of `readUsersDocument`; throws the same errors. */
  read(text: string): Promise<ReadAccounts>
  /** Stops the thread, with any read in progress, and resolves when it has ended. */
  close(): Promise<void>
}

/** Longer texts, of about 70 accounts, are read in a thread. */
const inlineLengthMax = 16 * 1024

/** The thread starts with the first long text and runs until `close`. */
export const createUsersDocumentReader = (): UsersDocumentReader => {
  let pool: ThreadPool<string> | undefined
  return {
    read: async (text) => {
      if (text.length <= inlineLengthMax) return readUsersDocument(text)
      pool ??= createThreadPool({
        module: moduleBeside('users-document-worker', import.meta.url),
        name: 'runDocumentJob',
        maxThreads: 1,
      })
      const answer = await pool.run<DocumentAnswer>(text).catch((error: unknown) => {
        if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
        throw new UsersFileFault({ summary: 'needs more memory to parse in this style than is available' })
      })
      if ('fault' in answer) throw new UsersFileFault(answer.fault)
      return answer
    },
    close: async () => {
      await pool?.close()
    },
  }
}
