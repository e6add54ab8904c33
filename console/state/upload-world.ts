import type { Answer } from '../../sdk/admin.ts'
import { type Problem, ProblemError, UnreachableError } from '../../sdk/auth.ts'
import { caller } from './api.ts'

type Job = Answer<'POST /api/admin/worlds/{world}/import'>['body']

type Options = {
  /** Called with the sent share, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'type' in value && 'title' in value && 'status' in value

const refusalOf = (value: unknown, status: number): Error =>
  isProblem(value)
    ? new ProblemError(value)
    : new UnreachableError('network', `The server answered ${status} to the upload. A proxy may limit the size of uploads.`)

/**
 * Uploads the file of a world, and returns the job that imports it. Uses XMLHttpRequest, because `fetch` does not report the progress of an
 * upload. Throws ProblemError, UnreachableError, and the reason of `signal`.
 */
export const uploadWorld = (world: string, file: File, { onProgress, signal }: Options): Promise<Job> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${caller.url}/api/admin/worlds/${encodeURIComponent(world)}/import`)
    request.setRequestHeader('Authorization', `Bearer ${caller.token?.() ?? ''}`)
    request.setRequestHeader('Content-Type', 'application/gzip')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      const { status, response } = request
      // The types come from the declarations of the server's routes, which its tests enforce.
      if (status === 202) resolve(response as Job)
      else reject(refusalOf(response, status))
    }
    request.onerror = () => reject(new UnreachableError('network', 'The upload broke off. Nothing was stored. Try again.'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
