import { GatehouseError, ProblemError } from '../../sdk/client.ts'
import { words } from '../words.ts'

/** What went wrong, in the server's words: they name the fault and the fix. */
export const describeProblem = (error: unknown): string => {
  if (error instanceof ProblemError) return error.problem.detail ?? error.problem.title
  if (error instanceof GatehouseError) return error.message
  return words.unexpected(error instanceof Error ? error.message : String(error))
}

export const ProblemBox = ({ error }: { readonly error: unknown }) => {
  if (error === undefined) return null
  const faults = error instanceof ProblemError ? (error.problem.errors ?? []) : []
  return (
    <div class="box box-bad" role="alert">
      <p>{describeProblem(error)}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map(({ pointer, line, column, message }) => (
            <li key={`${pointer}${line}${column}${message}`}>
              {line === undefined ? pointer && <code>{pointer}</code> : <code>{words.lineAndColumn(line, column)}</code>}{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
