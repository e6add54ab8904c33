import type { RequestListener } from 'node:http'
import { AppError } from '../../../shared/kernel/errors.ts'

/** The app of a Lambda. */
export type LambdaApp = RequestListener & {
  /** Work to finish after each answer, before the process is frozen. It never rejects. */
  readonly settle?: () => Promise<void>
}

/** The source of a Lambda's app. */
export type LoadApp = () => Promise<LambdaApp>

/**
 * Returns the app of `load`, which runs at the first call and again after a failure. If Redis or DynamoDB is unavailable
 * (AppError `unavailable`), returns an app that answers 503, for this call only. Throws other errors.
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
