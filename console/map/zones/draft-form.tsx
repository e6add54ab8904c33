import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { Named } from '../../parts/named.tsx'
import { ProblemBox } from '../../parts/problem-box.tsx'
import { tell } from '../../parts/toasts.tsx'
import type { Draft } from '../scene/draft.ts'
import { hasFaults, heightMax } from '../scene/draft.ts'
import type { MapModel } from '../scene/map-model.ts'
import { isSameZone } from '../scene/map-zones.ts'
import type { Scene } from '../scene/open-scene.ts'
import { words } from '../words.ts'
import { ColumnFields } from './column-fields.tsx'
import { DraftFaultList } from './draft-faults.tsx'
import { readDraft, saveDraft } from './save-draft.ts'

/** Limits a typed height to the heights of worlds. */
const toHeight = (typed: number): number => Math.min(Math.max(Math.trunc(typed || 0), 0), heightMax)

type Props = { readonly world: string; readonly model: MapModel; readonly scene: Scene; readonly draft: Draft }

/** Shown when another admin saved or deleted the zone. */
const SavedByOthers = ({ model, scene, draft }: Props) => {
  const [error, setError] = useState<unknown>()
  const { base } = draft
  if (base === undefined) return null
  const now = scene.live.zones.value.get(base.zone.id)
  if (now === undefined) return <p class="box box-warn">{words.map.draft.gone}</p>
  if (isSameZone(now, base.zone)) return null
  const read = async (isKept: boolean): Promise<void> => {
    try {
      const saved = await readDraft(base.zone.id)
      const mine = model.draft.peek()
      model.draft.value = isKept && mine !== undefined && saved.base !== undefined ? { ...mine, base: saved.base } : saved
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <div class="box box-warn" role="alert">
      <p>{words.map.draft.changed}</p>
      <div class="actions">
        <button type="button" onClick={() => void read(false)}>
          {words.map.draft.takeTheirs}
        </button>
        <button type="button" onClick={() => void read(true)}>
          {words.map.draft.keepMine}
        </button>
      </div>
      <ProblemBox error={error} />
    </div>
  )
}

/** The form of the zone draft. */
export const DraftForm = (props: Props) => {
  const { world, model, scene, draft } = props
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const faults = scene.faults()
  const change = (act: (draft: Draft) => Draft): void => {
    const now = model.draft.peek()
    if (now !== undefined) model.draft.value = act(now)
  }
  const stop = (): void => {
    model.draft.value = undefined
    model.tool.value = 'move'
  }
  const save = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      // If the zone was deleted, saving creates a new one.
      const isGone = draft.base !== undefined && !scene.live.zones.peek().has(draft.base.zone.id)
      const { base: _, ...fresh } = draft
      const wanted = { ...(isGone ? fresh : draft), name: draft.name.trim() }
      model.zone.value = await saveDraft(world, wanted, ({ base }) => change((now) => ({ ...now, ...(base && { base }) })))
      tell(<Named say={words.map.draft.saved} names={[wanted.name]} />)
      stop()
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  const missing = draft.columns.size === 0 ? words.map.draft.needsColumns : draft.name.trim() === '' && words.map.draft.needsName
  const isReady = missing === false && faults !== undefined && !hasFaults(faults)
  const number = (key: 'yMin' | 'yMax') => (
    <Field label={words.map.draft[key]}>
      <input
        type="number"
        min={0}
        max={heightMax}
        value={draft[key]}
        onInput={({ currentTarget }) => change((now) => ({ ...now, [key]: toHeight(currentTarget.valueAsNumber) }))}
      />
    </Field>
  )
  return (
    <section aria-label={words.map.draft.newTitle}>
      <h2>
        {draft.base === undefined ? (
          words.map.draft.newTitle
        ) : (
          <Named say={words.map.draft.title} names={[draft.base.zone.name]} />
        )}
      </h2>
      <p class="quiet">{words.map.draft.lead}</p>
      <SavedByOthers {...props} />
      <Field label={words.map.draft.name}>
        <input
          value={draft.name}
          maxLength={64}
          autocomplete="off"
          onInput={({ currentTarget }) => change((now) => ({ ...now, name: currentTarget.value }))}
        />
      </Field>
      <div class="map-numbers">
        {number('yMin')}
        {number('yMax')}
      </div>
      <ColumnFields change={change} />
      <p role="status">{draft.columns.size === 0 ? words.map.draft.none : words.map.draft.count(draft.columns.size)}</p>
      {faults !== undefined && <DraftFaultList faults={faults} change={change} />}
      <ProblemBox error={error} />
      <div class="actions">
        <button type="button" class="main" disabled={!isReady || isBusy} onClick={() => void save()}>
          {isBusy ? words.working : words.map.draft.save}
        </button>
        <button type="button" onClick={stop}>
          {words.map.draft.discard}
        </button>
      </div>
      {missing !== false && <p class="quiet">{missing}</p>}
    </section>
  )
}
