import { useState } from 'preact/hooks'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Time } from '../parts/time.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { readUntil, UntilField } from '../parts/until-field.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import type { Account } from './account-dialogs.tsx'
import { readZone, useZones, ZoneField, ZoneName } from './zone-field.tsx'

type Grant = NonNullable<Account['grants']>[number]

const GiveDialog = ({ email, close }: { readonly email: string; readonly close: () => void }) => {
  const zones = useZones()
  const groups = useLoad(
    async (signal) => (await call('GET /api/admin/groups', { signal })).body.groups.map(({ name }) => name),
    [],
  )
  const submit = async (fields: FormData): Promise<void> => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const what = text('what')
    // Without access to the groups, a dot or star marks a permission, and the server checks group names.
    const isGroup = groups.value?.includes(what) ?? !/[.*]/.test(what)
    const named = isGroup ? { group: what } : { permission: what }
    const [zone, reason] = [readZone(text('zone'), zones), text('reason')]
    const body = { ...named, ...(zone !== undefined && { zone }), ...(reason !== '' && { reason }), ...readUntil(fields) }
    tellDone(words.grants.given, await call('POST /api/admin/users/{email}/grants', { params: { email }, body }))
  }
  return (
    <FormDialog
      title={words.grants.add}
      action={words.grants.add}
      close={close}
      submit={submit}
      // Without the list, a group name would be read as a permission.
      isReady={!groups.isLoading}
    >
      <Field label={words.grants.what} hint={words.grants.whatHint}>
        <input name="what" required maxLength={128} list="grant-groups" autocomplete="off" />
      </Field>
      <datalist id="grant-groups">
        {groups.value?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {zones.length > 0 && <ZoneField zones={zones} />}
      <UntilField label={words.grants.forHowLong} />
      <Field label={words.grants.reason}>
        <input name="reason" maxLength={500} autocomplete="off" />
      </Field>
    </FormDialog>
  )
}

const createColumns = (take: (grant: Grant) => void): readonly Column<Grant>[] => [
  { head: words.grants.what, cell: ({ group, permission }) => <code>{group ?? permission}</code>, isLong: true },
  {
    head: words.grants.where,
    cell: ({ zone, world }) => (zone === undefined ? (world ?? words.grants.everywhere) : <ZoneName id={zone} />),
  },
  { head: words.grants.end, cell: ({ until }) => (until === undefined ? words.grants.noEnd : <Time at={until} />) },
  { head: words.grants.reason, cell: ({ reason, by }) => <bdi>{reason ?? by}</bdi>, isLong: true },
  ...(mayDo('admin.users.write')
    ? [
        {
          head: words.players.actions,
          cell: (grant: Grant) => (
            <button type="button" onClick={() => take(grant)}>
              {words.grants.remove}
            </button>
          ),
        },
      ]
    : []),
]

/** The grants of an account, which can be added and revoked. */
export const GrantList = ({ account, changed }: { readonly account: Account; readonly changed: () => void }) => {
  const [isGiving, setGiving] = useState(false)
  const [taken, setTaken] = useState<Grant>()
  const { email, grants = [] } = account
  const close = () => {
    setGiving(false)
    setTaken(undefined)
    changed()
  }
  return (
    <section class="card wide-card">
      <header class="card-head">
        <h2>{words.grants.title}</h2>
        {mayDo('admin.users.write') && (
          <button type="button" onClick={() => setGiving(true)}>
            {words.grants.add}
          </button>
        )}
      </header>
      <p class="quiet">{words.grants.lead}</p>
      <DataTable columns={createColumns(setTaken)} rows={grants} keyOf={({ id }) => id} empty={words.grants.none} />
      {isGiving && <GiveDialog email={email} close={close} />}
      {taken !== undefined && (
        <FormDialog
          title={`${words.grants.remove}: ${taken.group ?? taken.permission}`}
          action={words.grants.remove}
          isBad
          close={close}
          submit={async () => {
            const params = { email, id: taken.id }
            tellDone(words.grants.taken, await call('DELETE /api/admin/users/{email}/grants/{id}', { params }))
          }}
        />
      )}
    </section>
  )
}
