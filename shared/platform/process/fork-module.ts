import { type ChildProcess, fork } from 'node:child_process'

/** Starts a module, from `moduleBeside`, as a process of its own that talks by messages; what it writes to standard error is to be read. */
export const forkModule = (module: URL): ChildProcess =>
  fork(module, {
    execArgv: module.pathname.endsWith('.ts') ? ['--import', 'tsx'] : [],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
