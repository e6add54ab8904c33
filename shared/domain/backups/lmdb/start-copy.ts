import { createDeferred } from '../../../kernel/deferred.ts'
import { AppError } from '../../../kernel/errors.ts'
import { forkModule } from '../../../platform/process/fork-module.ts'
import { moduleBeside } from '../../../platform/process/module-beside.ts'
import type { CopyAnswer, CopyOrder } from './copy-messages.ts'

const damaged = (reason: string, cause: Error): AppError =>
  new AppError('unprocessable', 'damaged-backup', `The backup is damaged: ${reason}.`, { cause })

type Failed = Extract<CopyAnswer, { kind: 'failed' }>

const failure = ({ reason, code, damage }: Failed, complaint = ''): AppError => {
  // With a code, so that command-line tasks print the message of the system.
  const cause = Object.assign(new Error(complaint === '' ? reason : `${reason}: ${complaint}`), { code: code ?? 'COPY_FAILED' })
  if (damage) return damaged(reason, cause)
  if (code === 'ENOSPC' || code === '28' || /no space/i.test(reason))
    return new AppError('unavailable', 'storage-full', 'There is not enough disk space for a backup. Nothing was stored.', {
      cause,
    })
  return new AppError('unavailable', 'service-unavailable', 'The data could not be copied. The server log has the reason.', {
    cause,
  })
}

/** Maximum length of the stored standard error of the process: enough for a stack trace. */
const complaintCharsMax = 4000

type ReadBack = { readonly records: number; readonly columns: number }

/** A separate process that copies or verifies, after it receives its order. */
export type CopyProcess = {
  /** Resolves at the moment of the copy; rejects like `done`. */
  readonly taken: Promise<void>
  readonly done: Promise<ReadBack>
  order(order: CopyOrder): void
}

/** Resolves when the process is ready for its order; `signal` ends it. Throws AppError. */
export const startCopy = async (signal: AbortSignal, told: (columns: number) => void = () => undefined): Promise<CopyProcess> => {
  const module = moduleBeside('copy-process', import.meta.url)
  const child = forkModule(module)
  const stop = () => child.kill('SIGKILL')
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, complaintCharsMax)
  })
  const [ready, taken, done] = [createDeferred(), createDeferred(), createDeferred<ReadBack>()]
  let ordered: CopyOrder['kind'] | undefined
  const fail = (error: unknown): void => {
    for (const { reject } of [ready, taken, done]) reject(error)
  }
  child.on('message', (answer: CopyAnswer) => {
    if (answer.kind === 'ready') ready.resolve()
    else if (answer.kind === 'taken') taken.resolve()
    else if (answer.kind === 'told') told(answer.columns)
    else if (answer.kind === 'done') done.resolve(answer)
    else fail(failure(answer, complaint.trim()))
  })
  child.once('error', (cause) =>
    fail(new AppError('unavailable', 'service-unavailable', 'The copy process could not be started.', { cause })),
  )
  // Not `exit`: standard error may not be read completely by then.
  child.once('close', (code, killedBy) => {
    signal.removeEventListener('abort', stop)
    if (signal.aborted) return fail(signal.reason)
    const reason = `the process ended with ${killedBy ?? code}`
    // An invalid page crashes the process that reads it.
    fail(failure({ kind: 'failed', reason, ...(ordered === 'verify' ? { damage: true } : {}) }, complaint.trim()))
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  await ready.promise
  return {
    taken: taken.promise,
    done: done.promise,
    order: (order) => {
      ordered = order.kind
      child.send(order)
    },
  }
}
