import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { ProblemBox } from '../../parts/problem-box.tsx'
import { linkTo } from '../../state/route.ts'
import { mayDo } from '../../state/session.ts'
import { newDraft } from '../scene/draft.ts'
import { firstByName } from '../scene/first-by-name.ts'
import type { MapModel } from '../scene/map-model.ts'
import type { MapZone } from '../scene/map-zones.ts'
import type { Scene } from '../scene/open-scene.ts'
import { fitArea } from '../scene/view.ts'
import { words } from '../words.ts'
import { DraftForm } from './draft-form.tsx'
import { readDraft } from './save-draft.ts'

type Props = { readonly world: string; readonly model: MapModel; readonly scene: Scene }

const shownMax = 50

const ZoneItem = ({ zone, model, change }: { readonly zone: MapZone; readonly model: MapModel; readonly change: () => void }) => {
  const isChosen = model.zone.value === zone.id
  const show = (): void => {
    model.zone.value = zone.id
    model.view.value = fitArea(zone.area, model.size.peek())
  }
  return (
    <li class={isChosen ? 'map-item chosen' : 'map-item'}>
      <button type="button" class="link" aria-pressed={isChosen} title={words.map.show(zone.name)} onClick={show}>
        <bdi>{zone.name}</bdi>
      </button>{' '}
      {!zone.enabled && <span class="badge">{words.map.zones.off}</span>}
      <small class="quiet">
        {words.map.zones.columns(zone.chunks.length)}, {words.map.zones.heights(zone.yMin, zone.yMax)}
      </small>
      {isChosen && mayDo('admin.instances.read') && (
        <div class="actions">
          <a href={linkTo(['map', zone.id])}>{words.map.zones.page}</a>
          {mayDo('admin.instances.write') && (
            <button type="button" onClick={change}>
              {words.map.zones.change}
            </button>
          )}
        </div>
      )}
    </li>
  )
}

/** The zones of the world by name. Everything the pointer does on the map works here by keyboard. */
export const ZonePanel = (props: Props) => {
  const { model, scene } = props
  const [wanted, setWanted] = useState('')
  const [error, setError] = useState<unknown>()
  if (model.draft.value !== undefined) return <DraftForm {...props} draft={model.draft.value} />
  const draw = (): void => {
    model.tool.value = 'paint'
    model.draft.value = newDraft
  }
  const change = async (zone: MapZone): Promise<void> => {
    setError(undefined)
    try {
      const draft = await readDraft(zone.id)
      model.tool.value = 'paint'
      model.draft.value = draft
    } catch (problem) {
      setError(problem)
    }
  }
  const text = wanted.trim().toLowerCase()
  const chosen = model.zone.value
  const zones = [...scene.live.zones.value.values()]
  const found = text === '' ? zones : zones.filter(({ name, id }) => name.toLowerCase().includes(text) || id === text)
  return (
    <>
      {mayDo('admin.instances.write') ? (
        <p>
          <button type="button" class="main" onClick={draw}>
            {words.map.zones.add}
          </button>
        </p>
      ) : (
        <p class="quiet">{words.needsPermission('admin.instances.write')}</p>
      )}
      {!mayDo('admin.instances.read') && <p class="quiet">{words.map.zones.onlyInView}</p>}
      <Field label={words.map.zones.find}>
        <input type="search" value={wanted} onInput={({ currentTarget }) => setWanted(currentTarget.value)} />
      </Field>
      <ProblemBox error={error} />
      {found.length === 0 ? (
        <p class="quiet">{text === '' ? words.map.zones.noneYet : words.map.zones.none}</p>
      ) : (
        <ul class="plain-list">
          {firstByName(
            found,
            shownMax,
            ({ name }) => name,
            ({ id }) => id === chosen,
          ).map((zone) => (
            <ZoneItem key={zone.id} zone={zone} model={model} change={() => void change(zone)} />
          ))}
        </ul>
      )}
      {found.length > shownMax && <p class="quiet">{words.map.zones.more(found.length - shownMax)}</p>}
    </>
  )
}
