import { clearLine, cursorTo, type Interface } from 'node:readline'

/** Where lines are shown; on a terminal above the prompt, which keeps what is being typed. */
export type Screen = { show(text: string): void }

/** Lines on `output`; `lines` is the readline interface of a terminal, absent for plain output. */
export const createScreen = (output: NodeJS.WritableStream, lines?: Interface): Screen => ({
  show: (text) => {
    if (lines === undefined) {
      output.write(`${text}\n`)
      return
    }
    clearLine(output, 0)
    cursorTo(output, 0)
    output.write(`${text}\n`)
    lines.prompt(true)
  },
})
