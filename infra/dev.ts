import { fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { mayStart } from '../shared/platform/process/server-arguments.ts'
import { onParentGone } from '../shared/platform/process/shutdown.ts'
import { watchFolder } from './project/watch-folder.ts'

/** An editor writes a file in several steps. */
const settleMs = 100
const foreverMs = 2 ** 31 - 1

const write = (text: string): void => void process.stdout.write(`${text}\n`)

/** The program of the server and its arguments, in a project or in a checkout. */
const findServer = (script: string): readonly [string, readonly string[]] =>
  script.endsWith('.ts') ? [join(dirname(script), 'launch.js'), ['infra/dev-server.ts']] : [script, ['dev']]

/**
 * `npm run dev`: runs the server of `dev-server.ts` as a process of its own. When it ends with a fault, starts it again after the next change of a
 * module or of `modules.yaml`. A server that never started ends this process too.
 */
const keepServer = (script: string): void => {
  const [program, args] = findServer(script)
  let folders: readonly string[] = []
  /** A file has changed since the server read the modules. */
  let isChanged = false
  let isEnding = false
  let timer: NodeJS.Timeout | undefined
  let end = (_signal: NodeJS.Signals): void => {}
  /** Starts the server again. Undefined while it runs. */
  let wake: (() => void) | undefined

  const start = (): void => {
    isChanged = false
    const server = fork(program, args)
    // The folders come with the first message. Each later one says that the server reads its modules again.
    server.on('message', (message) => {
      isChanged = false
      if (folders.length > 0 || !Array.isArray(message)) return
      folders = message.map(String)
      for (const folder of folders) void watchFolder(folder, noteChange)
    })
    server.once('exit', (code, signal) => {
      if (isEnding || code === 0 || folders.length === 0) process.exit(code ?? 1)
      write(`The server has ended (${signal ?? `exit code ${code}`}). The lines above say why.`)
      end = () => process.exit(0)
      if (isChanged) return startAgain()
      write(`It starts again when a file changes in ${folders.join(' or ')}. Ctrl+C ends.`)
      const waiting = setInterval(() => {}, foreverMs)
      wake = () => {
        clearInterval(waiting)
        startAgain()
      }
    })
    end = (signal) => void server.kill(signal)
  }

  const startAgain = (): void => {
    wake = undefined
    write('A file has changed. The server starts again.')
    start()
  }

  const noteChange = (name: string): void => {
    if (name.includes('.test.') || (name.endsWith('.yaml') && name !== 'modules.yaml')) return
    isChanged = true
    clearTimeout(timer)
    timer = setTimeout(() => wake?.(), settleMs)
  }

  const stop = (signal: NodeJS.Signals): void => {
    isEnding = true
    end(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  onParentGone(() => stop('SIGTERM'))
  start()
}

const does = 'Starts the server, reloads modules when a file changes, and starts the server again after it ended with a fault.'

export const main = mayStart('dev', does) ? keepServer(process.argv[1] ?? '') : undefined
