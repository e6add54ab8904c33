import { useState } from 'preact/hooks'
import { GatehouseError } from '../../sdk/auth.ts'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Named } from '../parts/named.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { findPerson } from '../people/find-person.ts'
import { call } from '../state/api.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

type Props = { readonly name: string; readonly close: () => void }
type Found = { readonly playerId: string; readonly displayName: string; readonly text: string }

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatehouseError('invalid', words.modules.notJson)
  }
}

const DataField = ({ text, isReadOnly = false }: { readonly text: string; readonly isReadOnly?: boolean }) => (
  <Field label={words.modules.data} hint={words.modules.dataHint}>
    <textarea name="data" rows={12} spellcheck={false} readOnly={isReadOnly} defaultValue={text} />
  </Field>
)

/** Shows what a module stores for one player, and changes it. */
export const PlayerData = ({ name, close }: Props) => {
  const [found, setFound] = useState<Found>()
  if (found === undefined)
    return (
      <FormDialog
        key="find"
        title={<Named say={words.modules.playerDataNamed} names={[name]} />}
        action={words.modules.showData}
        close={close}
        done={() => undefined}
        submit={async (fields) => {
          const { playerId, displayName } = await findPerson(String(fields.get('person')))
          const { data } = (await call('GET /api/admin/modules/{name}/players/{playerId}', { params: { name, playerId } })).body
          setFound({ playerId, displayName, text: JSON.stringify(data, undefined, 2) })
        }}
      >
        <Field label={words.modules.player} hint={words.modules.playerHint}>
          <input name="person" required />
        </Field>
      </FormDialog>
    )
  const title = <Named say={words.modules.dataOf} names={[name, found.displayName]} />
  if (!mayDo('admin.modules.write'))
    return (
      <Dialog title={title} close={close} wide>
        <DataField text={found.text} isReadOnly />
      </Dialog>
    )
  return (
    <FormDialog
      key="change"
      title={title}
      action={words.modules.saveData}
      close={close}
      submit={async (fields) => {
        const params = { name, playerId: found.playerId }
        const body = { data: parse(String(fields.get('data'))) }
        tellDone(words.modules.dataSaved, await call('PUT /api/admin/modules/{name}/players/{playerId}', { params, body }))
      }}
      wide
    >
      <DataField text={found.text} />
    </FormDialog>
  )
}
