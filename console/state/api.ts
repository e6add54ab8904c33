import { signal } from '@preact/signals'
import { type Call, type Caller, createCall, readBackup, readWorldExport } from '../../sdk/admin.ts'
import { ProblemError, UnreachableError } from '../../sdk/auth.ts'
import { noteMay, noteSignInOver, serverUrl, session } from './session.ts'

type Connection = {
  readonly isLost: boolean
  /** When the first request got no answer. */
  readonly lostAt?: Date
  /** How often all data of the page had to load again. */
  readonly healed: number
}

/** Whether the last request got an answer. */
export const connection = signal<Connection>({ isLost: false, healed: 0 })

/** How many requests have been waiting for longer than `slowMs`. */
export const slowRequests = signal(0)

const retryMs = 1500
/** Shorter waits are not shown. */
const slowMs = 200

/** Whether the server answers now. */
export const answers = async (): Promise<boolean> => {
  const answer = await fetch(`${serverUrl}/healthz`).catch(() => undefined)
  return answer?.ok === true
}

/** Polls until the server is back, so that pages can reload. */
const waitForServer = async (): Promise<void> => {
  while (connection.peek().isLost) {
    await new Promise((resolve) => setTimeout(resolve, retryMs))
    if (await answers()) connection.value = { isLost: false, healed: connection.peek().healed + 1 }
  }
}

/** Tells the user that the server does not answer, and reloads the data of the page when it does. */
export const noteLost = (): void => {
  if (connection.peek().isLost) return
  connection.value = { ...connection.peek(), isLost: true, lostAt: new Date() }
  void waitForServer()
}

/** Makes the open page load its data again, as after an undo. */
export const reloadAll = (): void => {
  const last = connection.peek()
  connection.value = { ...last, healed: last.healed + 1 }
}

const tokenNow = (): string => {
  const current = session.peek()
  return 'me' in current ? current.me.token() : ''
}

/** The token of the current user. */
export const caller: Caller = { url: serverUrl, token: tokenNow }

const plainCall = createCall(caller)

/** Throws what `work` throws. The page itself reports an unreachable server and an ended sign-in. */
const noting = async <T>(work: Promise<T>): Promise<T> => {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    slowRequests.value += 1
  }, slowMs)
  try {
    return await work
  } catch (error) {
    if (error instanceof UnreachableError) noteLost()
    if (error instanceof ProblemError && error.problem.status === 401) noteSignInOver()
    throw error
  } finally {
    clearTimeout(timer)
    if (isSlow) slowRequests.value -= 1
  }
}

/** Calls a route as the current user. */
export const call: Call = (operation, ...input) => noting(plainCall(operation, ...input))

/** Downloads the file of a world. */
export const readExport = (world: string): Promise<Blob> => noting(readWorldExport(caller, world))

/** Downloads a backup. */
export const readBackupFile = (id: string): Promise<Blob> => noting(readBackup(caller, id))

/**
 * Refreshes the permissions, which another admin may have changed, and notices an ended sign-in. Never rejects: the page itself reports
 * an unreachable server.
 */
export const refreshPermissions = async (): Promise<void> => {
  if (session.peek().kind !== 'in') return
  const answer = await call('GET /auth/permissions').catch(() => undefined)
  if (answer !== undefined) noteMay(answer.body)
}
