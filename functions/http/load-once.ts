import type { RequestListener } from 'node:http'
import { AppError } from '../../shared/kernel/errors.ts'

/** Where a Lambda gets its app from. */
export type LoadApp = () => Promise<RequestListener>

/**
 * The app of `load`, which runs at the first call and again after it failed. One that failed for want of Redis or DynamoDB
 * (AppError `unavailable`) is stood in for by an app that says so with 503, for that call only; what else it throws is thrown.
 */
export const loadOnce = (load: LoadApp): LoadApp => {
  let loading: Promise<RequestListener> | undefined
  const start = async (): Promise<RequestListener> => {
    try {
      return await load()
    } catch (error) {
      loading = undefined
      if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error
      const { refuseAll } = await import('./refuse-all.ts')
      return refuseAll(error)
    }
  }
  return () => {
    loading ??= start()
    return loading
  }
}
