import type { RequestListener } from 'node:http'
import { AppError } from '../../../shared/kernel/errors.ts'

/** An app of a Lambda. */
export type LambdaApp = RequestListener & {
  /** What is left to do after each answer, before the process may stand still; it never rejects. */
  readonly settle?: () => Promise<void>
}

/** Where a Lambda gets its app from. */
export type LoadApp = () => Promise<LambdaApp>

/**
 * The app of `load`, which runs at the first call and again after it failed. One that failed for want of Redis or DynamoDB (AppError `unavailable`) is stood in for by an app that answers 503, for that call only. What else it throws is thrown.
 */
export const loadOnce = (load: LoadApp): LoadApp => {
  let loading: Promise<LambdaApp> | undefined
  const start = async (): Promise<LambdaApp> => {
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
