import { useState } from 'preact/hooks'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { findPerson } from '../people/find-person.ts'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { learnNames, nameOf } from '../state/player-names.ts'
import { mayDo } from '../state/session.ts'
import { words } from './words.ts'
import { over, type Versioned } from './zone.ts'

type Props = Versioned & {
  readonly changed: () => void
  /** While a newer version loads, saving over this one would fail. */
  readonly isReloading: boolean
}

/** The members of the zone. */
export const ZoneMembers = ({ changed, isReloading, ...versioned }: Props) => {
  const { members = [] } = versioned.zone
  const [isAdding, setAdding] = useState(false)
  const [error, setError] = useState<unknown>()
  useLoad((signal) => learnNames(members, signal), [members.join()])
  const mayWrite = mayDo('admin.instances.write')
  const put = async (body: readonly string[]): Promise<void> => {
    tellDone(words.zone.saved, await call('PUT /api/admin/instances/{id}/members', { ...over(versioned), body }))
  }
  const add = async (fields: FormData): Promise<void> => {
    const { playerId } = await findPerson(String(fields.get('person')))
    if (!members.includes(playerId)) await put([...members, playerId])
  }
  const remove = async (playerId: string): Promise<void> => {
    setError(undefined)
    try {
      await put(members.filter((one) => one !== playerId))
    } catch (problem) {
      setError(problem)
    }
    // Reads the zone again, also after a refusal because another admin saved first.
    changed()
  }
  return (
    <section class="card">
      <header class="card-head">
        <h2>{words.zone.members}</h2>
        {mayWrite && mayDo('admin.users.read') && (
          <button type="button" onClick={() => setAdding(true)}>
            {words.zone.addMember}
          </button>
        )}
      </header>
      <p class="quiet">{words.zone.membersLead}</p>
      <ProblemBox error={error} />
      {members.length === 0 ? (
        <p class="quiet">{words.zone.noMembers}</p>
      ) : (
        <ul class="plain-list">
          {members.map((playerId) => (
            <li key={playerId} class="card-head">
              <bdi>{nameOf(playerId)}</bdi>
              {mayWrite && (
                <button
                  type="button"
                  disabled={isReloading}
                  aria-label={words.zone.removeMember(nameOf(playerId))}
                  onClick={() => void remove(playerId)}
                >
                  {words.grants.remove}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <FormDialog
          title={words.zone.addMember}
          action={words.zone.addMember}
          submit={add}
          close={() => setAdding(false)}
          done={() => {
            setAdding(false)
            changed()
          }}
        >
          <Field label={words.people.person}>
            <input name="person" required autocomplete="off" />
          </Field>
        </FormDialog>
      )}
    </section>
  )
}
