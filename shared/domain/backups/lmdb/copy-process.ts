import { codeOf } from '../../../platform/storage/files/code-of.ts'
import type { CopyAnswer, CopyOrder } from './copy-messages.ts'
import { takeMoment } from './take-moment.ts'

// A separate process, so that no tick waits for it and a damaged file cannot end the server.

const answer = (message: CopyAnswer): void => {
  process.send?.(message)
}

const obey = async (order: CopyOrder): Promise<void> => {
  try {
    if (order.kind === 'copy') {
      await takeMoment(order.environments, () => answer({ kind: 'taken' }))
      answer({ kind: 'done', records: 0, columns: 0 })
      return
    }
    // Imported here, because a copy does not need it.
    const { verifyBackup } = await import('./verify-backup.ts')
    answer({ kind: 'done', ...(await verifyBackup(order.folder, (columns) => answer({ kind: 'told', columns }))) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const code = codeOf(error)
    const damage = error instanceof Error && error.name === 'BackupDamage' ? { damage: true as const } : {}
    answer({ kind: 'failed', reason, ...(code === undefined ? {} : { code: String(code) }), ...damage })
  }
}

process.once('message', (order: CopyOrder) => void obey(order).finally(() => process.disconnect()))
// The parent process has ended.
process.once('disconnect', () => process.exit())
answer({ kind: 'ready' })
