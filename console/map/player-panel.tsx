import { words } from '../words.ts'
import type { LiveWorld } from './scene/live-world.ts'
import type { MapModel } from './scene/map-model.ts'
import { moveTo } from './scene/view.ts'

const shownMax = 50

/** The players in view, by name. */
export const PlayerPanel = ({ model, live }: { readonly model: MapModel; readonly live: LiveWorld }) => {
  const players = live.players.value.toSorted((one, other) => one.displayName.localeCompare(other.displayName))
  if (players.length === 0) return <p class="quiet">{words.map.players.none}</p>
  return (
    <>
      <ul class="plain-list">
        {players.slice(0, shownMax).map(({ playerId, displayName, position: { x, y, z } }) => (
          <li key={playerId} class="map-item">
            <button
              type="button"
              class="link"
              title={words.map.show(displayName)}
              onClick={() => {
                model.view.value = moveTo(model.view.peek(), x, z)
              }}
            >
              <bdi>{displayName}</bdi>
            </button>{' '}
            <small class="quiet">{words.map.players.place(Math.floor(x), Math.floor(y), Math.floor(z))}</small>
          </li>
        ))}
      </ul>
      {players.length > shownMax && <p class="quiet">{words.map.players.more(players.length - shownMax)}</p>}
    </>
  )
}
