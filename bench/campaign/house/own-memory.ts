import { readFile } from 'node:fs/promises'

/**
 * Resident bytes of a process without files. The pages of a mapped store count as resident although the system reclaims them when
 * needed: `process_resident_memory_bytes` rises with the size of the file. From /proc; 0 without it (not Linux, or the process
 * has ended).
 */
export const readOwnBytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
