import { Writable } from 'node:stream'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { openWorldTask } from '../../../tools/world/open-world-task.ts'
import { createProgress } from '../../../tools/world/progress.ts'
import { runWorld } from '../../../tools/world/run-world.ts'
import { patience, type Variables } from './child.ts'

/**
 * Runs a command of `npm run world` in this process, wired as in tools/world.ts, because starting a process costs more than most
 * commands. Signals and the exit of the process need `stage.launch`.
 */
export const runWorldHere = async (variables: Variables, ...args: string[]) => {
  const [out, err]: [string[], string[]] = [[], []]
  const complain = (text: string) => void err.push(text)
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      complain(String(chunk))
      done()
    },
  })
  const exit = await runWorld({
    args,
    openTask: async () => openWorldTask(parseEnvironment({ LOG_LEVEL: 'info', ...patience, ...variables }, 'task'), complain),
    print: (text) => void out.push(text),
    complain,
    begin: createProgress({ stream, isTerminal: false }),
    signal: new AbortController().signal,
  })
  return { exit, out: out.join(''), err: err.join('') }
}
