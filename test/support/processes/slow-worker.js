import { readFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

// JavaScript, because each thread would first load a compiler for TypeScript.

/** Like `read-nice.ts`, in this thread. */
export const readNice = () => {
  const stat = readFileSync('/proc/thread-self/stat', 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

// Loads slowly, as on a busy machine, and then sets the given number.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
Atomics.add(workerData.loads, 0, 1)

export const double = (number) => {
  if (number < 0) throw new Error('a job that fails')
  return number * 2
}

export const end = () => process.exit(3)
