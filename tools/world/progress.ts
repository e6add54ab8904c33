import { SingleBar } from 'cli-progress'
import { countOf } from './words.ts'

/** The progress of a long task. */
export type Progress = {
  advance(steps?: number): void
  /** Removes the bar. Later output starts on a new line. */
  end(): void
}

export type ProgressEdges = {
  readonly stream: NodeJS.WritableStream
  readonly isTerminal: boolean
}

const linesPerWork = 10
const stepsPerLine = 10_000

const beginLines = (stream: NodeJS.WritableStream, what: string, total: number): Progress => {
  const every = total > 0 ? Math.max(1, Math.ceil(total / linesPerWork)) : stepsPerLine
  const of = total > 0 ? ` of ${countOf(total)}` : ''
  let steps = 0
  let told = 0
  const tell = () => {
    told = steps
    stream.write(`${what}: ${countOf(steps)}${of}\n`)
  }
  return {
    advance: (more = 1) => {
      steps += more
      if (steps - told >= every) tell()
    },
    end: () => {
      if (steps > told || steps === 0) tell()
    },
  }
}

const beginBar = (stream: NodeJS.WritableStream, what: string, total: number): Progress => {
  const format =
    total > 0
      ? `${what} {bar} {percentage}% | {value} of {total} | {eta_formatted} left`
      : `${what} {value} | {duration_formatted}`
  // The bar's own handler of Ctrl-C would end the process in the middle of a batch.
  const bar = new SingleBar({ stream, format, gracefulExit: false, hideCursor: null, etaBuffer: 200 })
  bar.start(total, 0)
  return { advance: (steps = 1) => bar.increment(steps), end: () => bar.stop() }
}

/** Returns a function that starts a progress display: a bar on a terminal, otherwise a line for each tenth. */
export const createProgress =
  ({ stream, isTerminal }: ProgressEdges) =>
  (what: string, total: number): Progress =>
    isTerminal ? beginBar(stream, what, total) : beginLines(stream, what, total)
