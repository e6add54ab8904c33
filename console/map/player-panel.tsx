import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { columnAt } from './scene/columns.ts'
import { firstByName } from './scene/first-by-name.ts'
import type { LiveWorld, MapPlayer } from './scene/live-world.ts'
import type { MapModel } from './scene/map-model.ts'
import { findZonesAt } from './scene/map-zones.ts'
import { moveTo } from './scene/view.ts'
import { words } from './words.ts'

const shownMax = 50

type Props = { readonly model: MapModel; readonly live: LiveWorld }

/** A player with the position and the zones there. A click selects the player on the map. */
const PlayerCard = ({ player, model, live }: Props & { readonly player: MapPlayer }) => {
  const { playerId, displayName, position } = player
  const [x, y, z] = [Math.floor(position.x), Math.floor(position.y), Math.floor(position.z)]
  const isChosen = model.player.value === playerId
  const zones = findZonesAt(live.zones.value, columnAt(x, z))
  return (
    <li class={isChosen ? 'map-item chosen' : 'map-item'}>
      <button
        type="button"
        class="link"
        aria-pressed={isChosen}
        title={words.map.show(displayName)}
        onClick={() => {
          model.player.value = playerId
          model.view.value = moveTo(model.view.peek(), position.x, position.z)
        }}
      >
        <bdi>{displayName}</bdi>
      </button>{' '}
      <small class="quiet">{words.map.players.place(x, y, z)}</small>
      {zones.length > 0 && (
        <small class="quiet">
          <bdi>{zones.map(({ name }) => name).join(', ')}</bdi>
        </small>
      )}
      {isChosen && mayDo('admin.players.read') && (
        <div class="actions">
          <a href={linkTo(['players'])}>{words.map.players.act}</a>
        </div>
      )}
    </li>
  )
}

/** The players in view, by name. */
export const PlayerPanel = ({ model, live }: Props) => {
  const players = live.players.value
  if (players.length === 0) return <p class="quiet">{words.map.players.none}</p>
  return (
    <>
      <ul class="plain-list">
        {firstByName(players, shownMax, ({ displayName }) => displayName).map((player) => (
          <PlayerCard key={player.playerId} player={player} model={model} live={live} />
        ))}
      </ul>
      {players.length > shownMax && <p class="quiet">{words.map.players.more(players.length - shownMax)}</p>}
    </>
  )
}
