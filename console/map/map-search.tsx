import { useId, useState } from 'preact/hooks'
import { readPlace } from './read-place.ts'
import type { MapModel } from './scene/map-model.ts'
import type { Scene } from './scene/open-scene.ts'
import { fitArea, moveTo } from './scene/view.ts'
import { words } from './words.ts'

/** Suggestions beyond this do not help. */
const suggestedMax = 50
/** Moves the map to a zone, a player or a place. Returns false if there is none. */
const showOnMap = (model: MapModel, { live }: Scene, text: string): boolean => {
  const place = readPlace(text)
  if (place !== undefined) {
    model.view.value = moveTo(model.view.peek(), place.x, place.z)
    model.pointed.value = place
    return true
  }
  const wanted = text.trim().toLowerCase()
  const byName = <T,>(all: Iterable<T>, nameOf: (one: T) => string): T | undefined => {
    const names = [...all]
    return (
      names.find((one) => nameOf(one).toLowerCase() === wanted) ?? names.find((one) => nameOf(one).toLowerCase().includes(wanted))
    )
  }
  if (wanted === '') return true
  const player = byName(live.players.peek(), ({ displayName }) => displayName)
  const zone = byName(live.zones.peek().values(), ({ name }) => name)
  if (zone !== undefined && (player === undefined || zone.name.toLowerCase() === wanted)) {
    model.zone.value = zone.id
    model.view.value = fitArea(zone.area, model.size.peek())
    return true
  }
  if (player === undefined) return false
  model.player.value = player.playerId
  model.view.value = moveTo(model.view.peek(), player.position.x, player.position.z)
  return true
}

/** Names of zones and players that contain the text. */
const suggest = ({ live }: Scene, text: string): readonly string[] => {
  const wanted = text.trim().toLowerCase()
  const names = new Set<string>()
  for (const { displayName } of live.players.value) if (displayName.toLowerCase().includes(wanted)) names.add(displayName)
  for (const { name } of live.zones.value.values()) {
    if (names.size >= suggestedMax) break
    if (name.toLowerCase().includes(wanted)) names.add(name)
  }
  return [...names].slice(0, suggestedMax)
}

/** Finds a zone or a player by name, or a place by its coordinates. */
export const MapSearch = ({ model, scene }: { readonly model: MapModel; readonly scene: Scene }) => {
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isUsed, setUsed] = useState(false)
  const listId = useId()
  // Reads the lists only while they are needed: they change several times a second.
  const names = isUsed ? suggest(scene, text) : []
  return (
    <search>
      <form
        class="map-search"
        onSubmit={(event) => {
          event.preventDefault()
          setMissing(!showOnMap(model, scene, text))
        }}
      >
        <input
          type="search"
          aria-label={words.map.search}
          placeholder={words.map.searchHint}
          list={listId}
          value={text}
          autocomplete="off"
          onFocus={() => setUsed(true)}
          onBlur={() => setUsed(false)}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setMissing(false)
          }}
        />
        <datalist id={listId}>
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <span class="bad-text" role="status">
          {isMissing && words.map.notFound}
        </span>
      </form>
    </search>
  )
}
