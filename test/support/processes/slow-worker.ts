import { workerData } from 'node:worker_threads'

export { readNice } from './read-nice.ts'

// Loads slowly, as on a busy machine, and then sets the given number.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
Atomics.add(workerData.loads, 0, 1)

export const double = (number: number): number => {
  if (number < 0) throw new Error('a job that fails')
  return number * 2
}

export const end = (): never => process.exit(3)
