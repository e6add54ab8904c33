import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** The processor time of a process so far in seconds, including its kernel part; NaN except on Linux. */
export const cpuSecondsOf = (pid: number | undefined): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}
