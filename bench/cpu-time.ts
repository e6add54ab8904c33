import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** Seconds of processor time that a process has taken so far, its kernel's part included; NaN where Linux does not tell. */
export const cpuSecondsOf = (pid: number | undefined): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}
