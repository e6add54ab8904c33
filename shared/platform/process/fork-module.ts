import { type ChildProcess, fork } from 'node:child_process'

/** Starts a module, from `moduleBeside`, as a child process that exchanges messages. The caller must read its standard error. */
export const forkModule = (module: URL): ChildProcess =>
  fork(module, {
    execArgv: module.pathname.endsWith('.ts') ? ['--import', 'tsx'] : [],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
