import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

/** Starts a job that generates land in advance. */
export const PregenDialog = ({ world, close }: { readonly world: string; readonly close: () => void }) => {
  const submit = async (fields: FormData): Promise<void> => {
    const body = { radius: Number(fields.get('radius')) }
    await call('POST /api/admin/worlds/{world}/pregen', { params: { world }, body })
    tell(
      <>
        {words.pregen.started} {mayDo('admin.jobs.read') && <a href={linkTo(['jobs'])}>{words.pages.jobs}</a>}
      </>,
    )
  }
  return (
    <FormDialog title={words.pregen.title(world)} action={words.pregen.act} close={close} submit={submit}>
      <Field label={words.pregen.radius} hint={words.pregen.radiusHint}>
        <input name="radius" type="number" required min={1} step={1} defaultValue="16" />
      </Field>
    </FormDialog>
  )
}
