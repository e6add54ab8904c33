import { signal } from '@preact/signals'
import { type Call, type Caller, createCall, readWorldExport } from '../../sdk/admin.ts'
import { ProblemError, UnreachableError } from '../../sdk/client.ts'
import { noteMay, noteSignInOver, serverUrl, session } from './session.ts'

/** Whether the server answered when it was last asked, and how often it came back. */
export const connection = signal<{ readonly isLost: boolean; readonly healed: number }>({ isLost: false, healed: 0 })

const retryMs = 1500

/** Looks until the server is back; whoever shows something loads it again then. */
const waitForServer = async (): Promise<void> => {
  while (connection.peek().isLost) {
    await new Promise((resolve) => setTimeout(resolve, retryMs))
    const answer = await fetch(`${serverUrl}/healthz`).catch(() => undefined)
    if (answer?.ok) connection.value = { isLost: false, healed: connection.peek().healed + 1 }
  }
}

const noteLost = (): void => {
  if (connection.peek().isLost) return
  connection.value = { ...connection.peek(), isLost: true }
  void waitForServer()
}

const tokenNow = (): string => {
  const current = session.peek()
  return 'me' in current ? current.me.token() : ''
}

/** Whoever is signed in at the moment. */
export const caller: Caller = { url: serverUrl, token: tokenNow }

const plainCall = createCall(caller)

/** Throws what `work` throws; the page says by itself that the server is away or the sign-in over. */
const noting = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof UnreachableError) noteLost()
    if (error instanceof ProblemError && error.problem.status === 401) noteSignInOver()
    throw error
  }
}

/** Asks a route as whoever is signed in. Throws as `createCall` does. */
export const call: Call = (operation, ...input) => noting(plainCall(operation, ...input))

/** The file of a world. Throws as `call` does. */
export const readExport = (world: string): Promise<Blob> => noting(readWorldExport(caller, world))

/**
 * Asks again what the person may do, which somebody may have changed; a sign-in that was ended elsewhere is found out by that too. Never
 * rejects: the page says by itself what keeps the server from answering.
 */
export const refreshPermissions = async (): Promise<void> => {
  if (session.peek().kind !== 'in') return
  const answer = await call('GET /auth/permissions').catch(() => undefined)
  if (answer !== undefined) noteMay(answer.body)
}
