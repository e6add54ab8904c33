import { readFile } from 'node:fs/promises'

/**
 * Resident bytes of a process that are no file's. A store that is mapped into memory counts as resident although the system
 * takes its pages back at will: `process_resident_memory_bytes` rises with the size of the file. From /proc; 0 where that
 * is not (not Linux, or the process has ended).
 */
export const readOwnBytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
