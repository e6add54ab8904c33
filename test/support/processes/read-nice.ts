import { readFileSync } from 'node:fs'

/** The nice value of this thread, from Linux: field 19 of proc_pid_stat(5). */
export const readNice = (): number => {
  const stat = readFileSync('/proc/thread-self/stat', 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}
