import type { ConfigReader } from '../../../shared/domain/configs/texts/config-files.ts'
import { AppError } from '../../../shared/kernel/errors.ts'

/** Config files in memory. Set a text and every reader reads it next; an AppError is thrown by the read. */
export const createConfigTexts = (texts: Record<string, string | AppError> = {}): ConfigReader & { texts: typeof texts } => ({
  texts,
  read: async (name) => {
    const text = texts[name] ?? ''
    if (text instanceof AppError) throw text
    return { text, etag: text, source: name in texts ? 'data' : 'default' }
  },
})
