import { GatehouseError, ProblemError } from '../../sdk/auth.ts'
import { words } from '../words/of-frame.ts'
import { Described } from './described.tsx'
import { Time } from './time.tsx'

/** An error with the server's text. */
export const describeProblem = (error: unknown): string => {
  if (error instanceof ProblemError) return error.problem.detail ?? error.problem.title
  if (error instanceof GatehouseError) return error.message
  return words.unexpected(error instanceof Error ? error.message : String(error))
}

type ChangedField = NonNullable<ProblemError['problem']['changed']>[number]
type ProblemFault = NonNullable<ProblemError['problem']['errors']>[number]

/** A field that an undo would overwrite, with the actor and time of its later change. */
const Changed = ({ of: { pointer, by, at } }: { readonly of: ChangedField }) => (
  <li>
    {by === undefined ? (
      words.undo.changedOutside
    ) : (
      <>
        {words.undo.changedBy} <bdi>{by}</bdi>
      </>
    )}
    {at !== undefined && (
      <>
        {' '}
        {words.undo.changedAt} <Time at={at} exact />
      </>
    )}
    : {pointer === '' ? words.undo.whole : <code>{pointer.slice(1)}</code>}
  </li>
)

/** Where a fault is: `file:line:column` of a file, the line of a text, or the field of a body. */
const Place = ({ of: { pointer, file, line, column } }: { readonly of: ProblemFault }) => {
  if (file !== undefined) return <code>{[file, line, column].filter((part) => part !== undefined).join(':')}</code>
  if (line !== undefined) return <code>{words.lineAndColumn(line, column)}</code>
  return pointer ? <code>{pointer}</code> : null
}

type Props = { readonly error: unknown; readonly retry?: (() => void) | undefined }

/** An error with its faults; with `retry`, a button that tries again. */
export const ProblemBox = ({ error, retry }: Props) => {
  if (error === undefined) return null
  const { type, errors = [], changed = [] } = error instanceof ProblemError ? error.problem : {}
  // Its detail says all that its fault does.
  const faults = type === 'common-password' ? [] : errors
  return (
    <div class="box box-bad" role="alert">
      <p>
        {changed.length > 0 ? (
          words.undo.refused
        ) : (
          <bdi>
            <Described text={describeProblem(error)} />
          </bdi>
        )}
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map((field) => (
            <Changed key={field.pointer} of={field} />
          ))}
        </ul>
      )}
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={`${fault.pointer}${fault.file}${fault.line}${fault.column}${fault.message}`}>
              <Place of={fault} />{' '}
              <bdi>
                <Described text={fault.message} />
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          {words.tryAgain}
        </button>
      )}
    </div>
  )
}
