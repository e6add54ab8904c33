import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { ProblemError } from '../../sdk/auth.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { Loading } from '../parts/loading.tsx'
import { tell } from '../parts/toasts.tsx'
import { call, refreshPermissions } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { words } from '../words/of-frame.ts'
import { Difference } from './difference.tsx'

export type AuditEntry = Answer<'GET /api/admin/audit'>['body']['entries'][number]

/** Previews an undo, then runs it. */
const UndoDialog = ({
  entry,
  close,
  done,
}: {
  readonly entry: AuditEntry
  readonly close: () => void
  readonly done: () => void
}) => {
  const params = { id: entry.id }
  const dry = useLoad(
    async (signal) => (await call('POST /api/admin/audit/{id}/undo', { params, query: { dryRun: true }, signal })).body,
    [entry.id],
  )
  const [force, setForce] = useState(false)
  const submit = async (): Promise<void> => {
    try {
      await call('POST /api/admin/audit/{id}/undo', { params, query: { ...(force && { force }) } })
    } catch (error) {
      setForce(error instanceof ProblemError && error.problem.type === '/problems/display-name-taken')
      throw error
    }
    await refreshPermissions()
    tell(words.undo.done)
  }
  return (
    <FormDialog
      title={words.undo.title(entry.action)}
      action={force ? words.undo.anyway : words.undo.act}
      isBad
      isReady={dry.value !== undefined && dry.error === undefined}
      close={close}
      done={done}
      submit={submit}
      wide
    >
      <Loading of={dry}>
        {(answer) =>
          'would' in answer && (
            <>
              <p>{answer.would === null ? words.undo.gone : words.undo.lead}</p>
              <Difference before={entry.after} after={answer.would} />
            </>
          )
        }
      </Loading>
    </FormDialog>
  )
}

/** Undoes an audit entry after a preview. */
export const UndoButton = ({ entry, done }: { readonly entry: AuditEntry; readonly done: () => void }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.undo.act}
      </button>
      {isOpen && <UndoDialog entry={entry} close={() => setOpen(false)} done={done} />}
    </>
  )
}
