import { type ChildProcess, fork } from 'node:child_process'

/** Starts a module, from `moduleBeside`, as a process of its own that talks by messages, with so many threads for calls of the system and of LMDB. */
export const forkModule = (module: URL, threads: number): ChildProcess =>
  fork(module, {
    execArgv: module.pathname.endsWith('.ts') ? ['--import', 'tsx'] : [],
    env: { ...process.env, UV_THREADPOOL_SIZE: String(threads), NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
