import { runTerminal } from './terminal.ts'

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())

const { argv, env, stdin: input, stdout: output, stderr } = process
export const main = runTerminal({
  args: argv.slice(2),
  env,
  input,
  output,
  complain: (text) => stderr.write(text),
  interrupted: interrupted.signal,
}).then((code) => {
  process.exitCode = code
})
