import { signal } from '@preact/signals'
import type { Answer } from '../../sdk/admin.ts'
import { serverUrl } from './session.ts'

export type Ready = Answer<'GET /readyz'>['body']

/** The last report of `/readyz`; undefined before the first. */
export const health = signal<Ready | undefined>(undefined)

/** Reads `/readyz`, which answers 503 with the same body while a dependency is unreachable. Throws if the server does not answer. */
export const readHealth = async (over?: AbortSignal): Promise<Ready> => {
  const report: Ready = await (await fetch(`${serverUrl}/readyz`, over === undefined ? {} : { signal: over })).json()
  health.value = report
  return report
}
