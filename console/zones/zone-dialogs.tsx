import { useState } from 'preact/hooks'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { InstantField, readInstant } from '../parts/instant-field.tsx'
import { Loading } from '../parts/loading.tsx'
import { Named } from '../parts/named.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { findPerson } from '../people/find-person.ts'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { go, linkTo } from '../state/route.ts'
import { HoursField, readHours } from './hours-field.tsx'
import { ResetField, readReset } from './reset-field.tsx'
import { words } from './words.ts'
import { over, type Versioned } from './zone.ts'

type Props = Versioned & { readonly close: () => void }

const builders = ['permission', 'members', 'everyone', 'nobody'] as const
const visitors = ['everyone', 'members'] as const
type Rule = (typeof builders)[number]

const textOf = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim()

const oneOf = <T extends string>(all: readonly T[], text: string): T | undefined => all.find((one) => one === text)

const RuleField = ({ name, label, all, is }: { name: string; label: string; all: readonly Rule[]; is: Rule }) => (
  <Field label={label}>
    <select name={name}>
      {all.map((one) => (
        <option key={one} value={one} selected={one === is}>
          {words.zone.rules[one]}
        </option>
      ))}
    </select>
  </Field>
)

/** The rules of a zone: access to building and entering, and the greetings. */
export const ChangeRules = ({ close, ...versioned }: Props) => {
  const { rules } = versioned.zone
  const submit = async (fields: FormData): Promise<void> => {
    const [greeting, farewell] = [textOf(fields, 'greeting'), textOf(fields, 'farewell')]
    const body = {
      build: oneOf(builders, textOf(fields, 'build')) ?? 'permission',
      enter: oneOf(visitors, textOf(fields, 'enter')) ?? 'everyone',
      ...(greeting !== '' && { greeting }),
      ...(farewell !== '' && { farewell }),
    }
    tellDone(words.zone.saved, await call('PUT /api/admin/instances/{id}/rules', { ...over(versioned), body }))
  }
  return (
    <FormDialog title={words.zone.changeRules} action={words.save} close={close} submit={submit}>
      <RuleField name="build" label={words.zone.build} all={builders} is={rules?.build ?? 'permission'} />
      <RuleField name="enter" label={words.zone.enter} all={visitors} is={rules?.enter ?? 'everyone'} />
      <Field label={words.zone.greeting}>
        <input name="greeting" autocomplete="off" defaultValue={rules?.greeting ?? ''} />
      </Field>
      <Field label={words.zone.farewell}>
        <input name="farewell" autocomplete="off" defaultValue={rules?.farewell ?? ''} />
      </Field>
    </FormDialog>
  )
}

/** Gives the zone another owner. */
export const ChangeOwner = ({ close, ...versioned }: Props) => {
  const submit = async (fields: FormData): Promise<void> => {
    const { playerId } = await findPerson(textOf(fields, 'person'))
    tellDone(words.zone.saved, await call('PUT /api/admin/instances/{id}', { ...over(versioned), body: { owner: playerId } }))
  }
  return (
    <FormDialog title={words.zone.changeOwner} action={words.save} close={close} submit={submit}>
      <p class="quiet">{words.zone.ownerLead}</p>
      <Field label={words.people.person}>
        <input name="person" required autocomplete="off" />
      </Field>
    </FormDialog>
  )
}

/** The schedule of a zone: its active time, deletion and resets. */
export const ChangeSchedule = ({ close, ...versioned }: Props) => {
  const { id, opensAt, closesAt, expiresAt, reset } = versioned.zone
  const [chosen, setChosen] = useState(reset?.snapshot ?? '')
  const snapshots = useLoad(
    async (signal) => (await call('GET /api/admin/instances/{id}/snapshots', { params: { id }, signal })).body,
    [id],
  )
  const submit = async (fields: FormData): Promise<void> => {
    const times = Object.entries({ opensAt, closesAt, expiresAt }).flatMap(([name, before]): [string, string][] => {
      const at = readInstant(fields, name, before)
      return at === undefined ? [] : [[name, at]]
    })
    // A reset that the form could not show stays unchanged.
    const kept = fields.has('snapshot') ? textOf(fields, 'snapshot') : (reset?.snapshot ?? '')
    const every = readReset(fields, reset?.every)
    const body = { ...Object.fromEntries(times), ...readHours(fields), ...(kept !== '' && { reset: { snapshot: kept, every } }) }
    tellDone(words.zone.saved, await call('PUT /api/admin/instances/{id}/schedule', { ...over(versioned), body }))
  }
  return (
    <FormDialog title={words.zone.changeSchedule} action={words.save} close={close} submit={submit}>
      <InstantField name="opensAt" label={words.zone.opens} at={opensAt} />
      <InstantField name="closesAt" label={words.zone.closes} at={closesAt} />
      <InstantField name="expiresAt" label={words.zone.expires} at={expiresAt} />
      <HoursField zone={versioned.zone} />
      <Loading of={snapshots}>
        {(all) => (
          <Field label={words.zone.resetTo} hint={all.length === 0 ? words.zone.resetNeeds : words.zone.resetHint}>
            <select name="snapshot" onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
              <option value="">{words.zone.noReset}</option>
              {all.map((one) => (
                <option key={one.id} value={one.id} selected={one.id === reset?.snapshot}>
                  {one.name}
                </option>
              ))}
            </select>
          </Field>
        )}
      </Loading>
      {chosen !== '' && <ResetField every={reset?.every} />}
    </FormDialog>
  )
}

/** Enables or disables a zone. A disabled zone protects nothing. */
export const SwitchZone = ({ close, ...versioned }: Props) => {
  const { enabled } = versioned.zone
  const action = enabled ? words.zone.switchOff : words.zone.switchOn
  const submit = async (): Promise<void> => {
    tellDone(
      words.zone.saved,
      await call('PUT /api/admin/instances/{id}/enabled', { ...over(versioned), body: { enabled: !enabled } }),
    )
  }
  return (
    <FormDialog title={action} action={action} close={close} submit={submit}>
      <p>{enabled ? words.zone.offLead : words.zone.onLead}</p>
    </FormDialog>
  )
}

export const DeleteZone = ({ close, ...versioned }: Props) => {
  const { name, world } = versioned.zone
  const submit = async (): Promise<void> => {
    tellDone(<Named say={words.zone.deleted} names={[name]} />, await call('DELETE /api/admin/instances/{id}', over(versioned)))
    go(linkTo(['map'], { world }))
  }
  return (
    <FormDialog
      title={<Named say={words.zone.deleteTitle} names={[name]} />}
      action={words.zone.delete}
      isBad
      close={close}
      submit={submit}
    >
      <p>{words.zone.deleteLead}</p>
    </FormDialog>
  )
}
