import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { ProblemError } from '../../sdk/auth.ts'
import { call, connection } from '../state/api.ts'

export type DryRun = Extract<Answer<'PUT /api/admin/configs/{name}'>['body'], { readonly impact: unknown }>
export type Fault = NonNullable<ProblemError['problem']['errors']>[number]

/** The server's check of an unsaved text. */
export type Verdict = { readonly faults: readonly Fault[]; readonly dry?: DryRun; readonly error?: unknown; readonly of?: string }

const restMs = 400
const nothing: Verdict = { faults: [] }

const ask = async (name: string, text: string, signal: AbortSignal): Promise<Verdict> => {
  try {
    const { body } = await call('PUT /api/admin/configs/{name}', {
      params: { name },
      query: { dryRun: true },
      body: text,
      signal,
    })
    return { faults: [], of: text, ...('impact' in body && { dry: body }) }
  } catch (error) {
    if (error instanceof ProblemError && error.problem.status === 422 && error.problem.errors !== undefined)
      return { faults: error.problem.errors, of: text }
    return { faults: [], error, of: text }
  }
}

/** Checks a text on the server when typing pauses. Does nothing for undefined. */
export const useDryRun = (name: string, text: string | undefined): Verdict => {
  const [verdict, setVerdict] = useState(nothing)
  useEffect(() => {
    if (text === undefined) {
      setVerdict(nothing)
      return undefined
    }
    const over = new AbortController()
    const timer = setTimeout(async () => {
      const said = await ask(name, text, over.signal)
      if (!over.signal.aborted) setVerdict(said)
    }, restMs)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [name, text, connection.value.healed])
  return verdict
}
