import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { askHow } from '../account/ask-how.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { Loading } from '../parts/loading.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { serverUrl } from '../state/session.ts'
import { words } from '../words.ts'

type Made = Answer<'POST /api/admin/invitations'>['body']

/** Makes an invitation and shows its link, which the server never shows again. */
export const InvitePlayer = ({ close }: { readonly close: () => void }) => {
  const [made, setMade] = useState<Made>()
  const how = useLoad(askHow, [])
  const known = useLoad(async (signal) => (await call('GET /api/admin/groups', { signal })).body, [])
  if (made !== undefined)
    return (
      <Dialog title={words.people.invite.act} close={close}>
        <p>
          {words.people.invite.send} <Time at={made.until} exact />
        </p>
        <Copyable text={`${serverUrl}/play#invite=${made.code}`} label={words.people.invite.link} />
        <footer>
          <button type="button" class="main" onClick={close}>
            {words.people.invite.done}
          </button>
        </footer>
      </Dialog>
    )
  const submit = async (fields: FormData): Promise<void> => {
    const groups = fields.getAll('group').map(String)
    setMade((await call('POST /api/admin/invitations', { body: { groups } })).body)
  }
  return (
    <FormDialog
      title={words.people.invite.act}
      action={words.people.invite.submit}
      close={close}
      done={() => undefined}
      submit={submit}
      isReady={known.value !== undefined}
    >
      <p class="quiet">{words.people.invite.lead}</p>
      {how.value?.registration === 'off' && <p class="box box-warn">{words.people.invite.isOff}</p>}
      <Loading of={known}>
        {({ groups, defaultGroups }) => (
          <fieldset>
            <legend>{words.people.invite.groups}</legend>
            {groups.map(({ name }) => (
              <label key={name} class="check">
                <input type="checkbox" name="group" value={name} defaultChecked={defaultGroups.includes(name)} />
                {name}
              </label>
            ))}
          </fieldset>
        )}
      </Loading>
    </FormDialog>
  )
}
