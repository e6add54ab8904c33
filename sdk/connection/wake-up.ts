import { environment } from '../environment.ts'

/** Calls `act` when the network is back or the page is looked at again, until the answer is called; in Node, never. */
export const onWakeUp = (act: () => void): (() => void) => {
  const page = environment()
  const { document } = page
  const look = () => {
    if (document?.visibilityState === 'visible') act()
  }
  page.addEventListener?.('online', act)
  document?.addEventListener('visibilitychange', look)
  return () => {
    page.removeEventListener?.('online', act)
    document?.removeEventListener('visibilitychange', look)
  }
}
