import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { describeProblem } from '../parts/problem-box.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { words } from '../words.ts'

type Props = {
  readonly world: string
  /** Why the world cannot be moved now. */
  readonly obstacle: string | undefined
  readonly close: () => void
  /** Called after success. */
  readonly done: () => void
}

const Obstacle = ({ children }: { readonly children: ComponentChildren }) =>
  children === undefined ? null : <p class="box box-warn">{children}</p>

/** Renames a world that no node runs. */
export const RenameWorld = ({ world, obstacle, close, done }: Props) => {
  const submit = async (fields: FormData): Promise<void> => {
    const name = String(fields.get('name')).trim()
    await call('PUT /api/admin/worlds/{world}', { params: { world }, body: { name } })
    tell(words.worlds.renamed(world, name))
  }
  return (
    <FormDialog
      title={words.worlds.renameTitle(world)}
      action={words.worlds.renameAct}
      isReady={obstacle === undefined}
      close={close}
      done={done}
      submit={submit}
    >
      <Obstacle>{obstacle}</Obstacle>
      <p class="quiet">{words.worlds.renameLead}</p>
      <Field label={words.worlds.newName} hint={words.worlds.nameHint}>
        <input name="name" required pattern="[A-Za-z0-9_\-]{1,64}" maxLength={64} autocomplete="off" />
      </Field>
    </FormDialog>
  )
}

/** Restores a world from the trash. */
const UndoDeletion = ({ world, trash, done }: { readonly world: string; readonly trash: string; readonly done: () => void }) => {
  const [isBusy, setBusy] = useState(false)
  const undo = async (): Promise<void> => {
    setBusy(true)
    try {
      await call('POST /api/admin/worlds/{world}/restore', { params: { world }, body: { trash } })
      tell(words.worlds.restored(world))
      done()
    } catch (error) {
      tell(describeProblem(error))
    }
    setBusy(false)
  }
  return (
    <button type="button" class="link" disabled={isBusy} onClick={() => void undo()}>
      {words.worlds.undo}
    </button>
  )
}

/** Moves a world that no node runs into the trash folder. */
export const DeleteWorld = ({ world, obstacle, close, done }: Props) => {
  const submit = async (): Promise<void> => {
    const { body } = await call('DELETE /api/admin/worlds/{world}', { params: { world } })
    const { trash } = body
    tell(
      <>
        {words.worlds.deleted(world)} {trash !== undefined && <UndoDeletion world={world} trash={trash} done={done} />}
      </>,
    )
  }
  return (
    <FormDialog
      title={words.worlds.deleteTitle(world)}
      action={words.worlds.deleteAct}
      isBad
      isReady={obstacle === undefined}
      close={close}
      done={done}
      submit={submit}
    >
      <Obstacle>{obstacle}</Obstacle>
      <ul>
        {words.worlds.deleteLead.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </FormDialog>
  )
}
