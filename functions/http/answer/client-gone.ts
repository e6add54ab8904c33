import type { Response } from 'express'

const goneCode = 'CLIENT_GONE'

/** A signal that is aborted when the client goes away before its answer is out. */
export const clientGoneSignal = (res: Response): AbortSignal => {
  const controller = new AbortController()
  const abort = () => controller.abort(Object.assign(new Error('the client went away'), { code: goneCode }))
  if (res.destroyed) abort()
  else
    res.once('close', () => {
      if (!res.writableFinished) abort()
    })
  return controller.signal
}

/** Whether an error is that signal's reason, or what a pipeline made of it, which keeps the code. */
export const isClientGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === goneCode
