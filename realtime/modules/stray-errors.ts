import type { Log } from '../../shared/kernel/log.ts'
import type { GameModules } from './game-modules.ts'

type StrayDeps = { readonly modules: Pick<GameModules, 'noteStray' | 'list'>; readonly log: Log }

/**
 * Keeps the process running after faults of modules outside of their handlers: a rejected promise that nothing awaits, or a throw in a
 * plain timer. Errors of the server still end it. Returns a function that stops this.
 */
export const catchStrayErrors = ({ modules, log }: StrayDeps): (() => void) => {
  const noteThrown = (error: unknown): void => {
    if (modules.noteStray(error)) return
    // The other one decides, for example a test runner.
    if (process.listenerCount('uncaughtException') > 1) return
    log.error({ err: error }, 'an error that nothing handles ends the process')
    process.exit(1)
  }
  const noteRejected = (reason: unknown): void => {
    if (modules.noteStray(reason)) return
    if (modules.list().length === 0) throw reason
    // Its stack often lacks the caller, for example that of a failed `fetch`.
    log.error({ err: reason }, 'nothing handles a rejected promise, probably of a module')
  }
  process.on('uncaughtException', noteThrown)
  process.on('unhandledRejection', noteRejected)
  return () => {
    process.off('uncaughtException', noteThrown)
    process.off('unhandledRejection', noteRejected)
  }
}
