import { Worker } from 'node:worker_threads'

export type StallWatchOptions = {
  /** A stall of this length is logged, in milliseconds. */
  readonly logMs?: number
  /** A stall of this length ends the process, in milliseconds. */
  readonly endMs?: number
}

/**
 * A thread that watches the game loop. Some code of modules cannot be ended by a timeout: a loop after an `await`, or a slow regular
 * expression. The thread logs the module, and then kills the process. Another node takes over the world.
 */
export type StallWatch = {
  /** The loop runs. */
  beat(): void
  /** Code of this module runs now. */
  enter(name: string): void
  leave(): void
  /** Outside work of this module began (1) or ended (-1). Its code may run between two ticks. */
  changePending(name: string, by: 1 | -1): void
  /** Ends the thread. */
  close(): void
}

/** Modules with a place of their own. Others are not watched. */
const watchedModules = 256
const everyMs = 250

/**
 * The code of the thread. It is a text, so that no bundle needs another file. A long gap between two of its own steps means that the
 * machine slept or the process was stopped: that is not a stall.
 */
const threadCode = `
const { writeSync } = require('node:fs')
const { parentPort, workerData } = require('node:worker_threads')
const { buffer, everyMs, logMs, endMs, pid } = workerData
const cells = new Int32Array(buffer)
let names = []
parentPort.on('message', (next) => { names = next })
const write = (msg, module, seconds) =>
  writeSync(1, JSON.stringify({ level: 60, time: new Date().toISOString(), pid, name: 'gatehouse', module, seconds, msg }) + '\\n')
let [beat, stillMs, isLogged, lastMs] = [-1, 0, false, performance.now()]
setInterval(() => {
  const nowMs = performance.now()
  const stepMs = nowMs - lastMs
  lastMs = nowMs
  const now = Atomics.load(cells, 0)
  if (now !== beat || stepMs > 4 * everyMs) {
    beat = now
    stillMs = 0
    isLogged = false
    return
  }
  stillMs += stepMs
  const current = Atomics.load(cells, 1)
  const suspects = current > 0 ? [names[current - 1]] : names.filter((_, at) => Atomics.load(cells, 2 + at) > 0)
  if (suspects.length === 0 || stillMs < logMs) return
  const seconds = Math.round(stillMs / 100) / 10
  if (!isLogged) write('the game loop stands still in code of a module that cannot be ended', suspects.join(', '), seconds)
  isLogged = true
  if (stillMs < endMs) return
  write('the process ends because code of a module never ends', suspects.join(', '), seconds)
  process.kill(pid, 'SIGKILL')
}, everyMs)
`

export const createStallWatch = ({ logMs = 2000, endMs = 10_000 }: StallWatchOptions = {}): StallWatch => {
  const buffer = new SharedArrayBuffer(4 * (2 + watchedModules))
  const cells = new Int32Array(buffer)
  const places = new Map<string, number>()
  const thread = new Worker(threadCode, { eval: true, workerData: { buffer, everyMs, logMs, endMs, pid: process.pid } })
  thread.unref()
  // Without the thread the server runs on.
  thread.on('error', () => {})

  const placeOf = (name: string): number | undefined => {
    const known = places.get(name)
    if (known !== undefined || places.size >= watchedModules) return known
    places.set(name, places.size)
    thread.postMessage([...places.keys()])
    return places.size - 1
  }
  return {
    beat: () => void Atomics.add(cells, 0, 1),
    enter: (name) => void Atomics.store(cells, 1, (placeOf(name) ?? -1) + 1),
    leave: () => void Atomics.store(cells, 1, 0),
    changePending: (name, by) => {
      const place = placeOf(name)
      if (place !== undefined) Atomics.add(cells, 2 + place, by)
    },
    close: () => void thread.terminate(),
  }
}
