import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks on a terminal for one line that is not shown while it is typed; undefined when the player gives up (Ctrl-C, Ctrl-D). */
export const askSecret = async (
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  prompt: string,
): Promise<string | undefined> => {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silence, terminal: true, historySize: 0 })
  output.write(prompt)
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(undefined))
  })
  lines.close()
  output.write('\n')
  return answer
}
