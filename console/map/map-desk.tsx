import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { Lazy } from '../parts/lazy.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { go, linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { PregenDialog } from '../worlds/pregen-dialog.tsx'
import { MapCanvas } from './drawing/map-canvas.tsx'
import { HistoryPanel } from './history/history-panel.tsx'
import { MapLegend } from './map-legend.tsx'
import { MapSearch } from './map-search.tsx'
import { MapTools } from './map-tools.tsx'
import { PlayerPanel } from './player-panel.tsx'
import { clusterPlayers, findMarkerAt, type Marker } from './scene/cluster-players.ts'
import { columnAt } from './scene/columns.ts'
import { modelOf } from './scene/kept-models.ts'
import type { LiveTrouble, MapPlayer } from './scene/live-world.ts'
import type { MapModel } from './scene/map-model.ts'
import { findZonesAt } from './scene/map-zones.ts'
import { openScene, type Scene } from './scene/open-scene.ts'
import { fitArea, moveTo, toScreen } from './scene/view.ts'
import { words } from './words.ts'
import { ZonePanel } from './zones/zone-panel.tsx'

type World = Answer<'GET /api/admin/worlds'>['body'][number]

/** How far from a dot a click still selects it, in pixels. */
const clickReachPx = 12

const tabs = ['zones', 'players', 'history'] as const
type Tab = (typeof tabs)[number]

const describeTrouble = (trouble: LiveTrouble): string => {
  if (trouble.kind === 'refused') return words.map.notLive(trouble.text)
  return { opening: words.map.opening, stopped: words.map.stopped, away: words.map.away, lost: words.map.feedLost }[trouble.kind]
}

const { compare } = new Intl.Collator()

type CrowdProps = { readonly model: MapModel; readonly marker: Marker; readonly choose: (player: MapPlayer) => void }

/** The players of one marker, opened by a click on it or by Enter. */
const PickedCrowd = ({ model, marker: { x, z, players }, choose }: CrowdProps) => {
  const { left, top } = toScreen(model.view.value, model.size.value, x, z)
  return (
    <span class="map-person" style={{ left: `${left}px`, top: `${top}px` }}>
      <Menu label={words.map.players.here(players.length)} class="mark" face="" startsOpen>
        <p class="menu-title">{words.map.players.here(players.length)}</p>
        {players
          .toSorted((one, other) => compare(one.displayName, other.displayName))
          .map((player) => (
            <MenuItem key={player.playerId} act={() => choose(player)}>
              <bdi>{player.displayName}</bdi>
            </MenuItem>
          ))}
      </Menu>
    </span>
  )
}

/** The card of a player, opened by a click on the dot. */
const PickedPlayer = ({ model, player }: { readonly model: MapModel; readonly player: MapPlayer }) => {
  const { playerId, displayName, position } = player
  const { left, top } = toScreen(model.view.value, model.size.value, position.x, position.z)
  return (
    <span class="map-person" style={{ left: `${left}px`, top: `${top}px` }}>
      <Lazy
        name="name-card"
        of={async () => (await import('../moderation/name-card.tsx')).NameCard}
        props={{ email: undefined, playerId, displayName, isMark: true }}
        isQuiet
      />
    </span>
  )
}

/** Shown on the map of a world without land. */
const NoLand = ({ generate }: { readonly generate: () => void }) => (
  <div class="map-empty card">
    <p>{words.map.noLand}</p>
    {mayDo('admin.worlds.write') && (
      <button type="button" class="main" onClick={generate}>
        {words.pregen.act}
      </button>
    )}
  </div>
)

const Trouble = ({ scene }: { readonly scene: Scene }) => {
  const trouble = scene.live.trouble.value
  return (
    <div role="status">
      {trouble !== undefined && (
        <p class={trouble.kind === 'opening' ? 'quiet' : 'box box-warn'}>
          {describeTrouble(trouble)} {trouble.kind === 'stopped' && <a href={linkTo(['worlds'])}>{words.map.howToRun}</a>}
        </p>
      )}
    </div>
  )
}

const readTab = (): Tab => {
  const asked = route.value.query.get('tab')
  return tabs.find((one) => one === asked) ?? 'zones'
}

type Props = { readonly world: World; readonly reload: () => void }

/** The map of one world, and the list beside it. */
export const MapDesk = ({ world: { name: world, chunkCount, spawn }, reload }: Props) => {
  const [isGenerating, setGenerating] = useState(false)
  /** The marker or the player of the last click, and a number that differs between clicks. */
  const [picked, setPicked] = useState<{ readonly of: Marker | MapPlayer; readonly turn: number }>()
  const model = modelOf(world)
  const [scene, setScene] = useState<Scene>()
  const tab = readTab()
  const asked = route.value.query.get('zone')
  useEffect(() => {
    // The first visit begins where players do.
    if (spawn !== undefined && model.spawn.peek() === undefined) model.view.value = moveTo(model.view.peek(), spawn.x, spawn.z)
    model.spawn.value = spawn
    const opened = openScene(world, model)
    setScene(opened)
    return () => opened.close()
  }, [world])
  const zone = asked === null ? undefined : scene?.live.zones.value.get(asked)
  const isKnown = zone !== undefined && model.size.value.width > 0
  useEffect(() => {
    if (zone === undefined || !isKnown) return
    model.zone.value = zone.id
    model.view.value = fitArea(zone.area, model.size.peek())
  }, [asked, isKnown])
  useEffect(() => {
    // The Box tool belongs to the history tab, the others to the rest. Other tools reset on a change of tab.
    if ((tab === 'history') !== (model.tool.peek() === 'box')) model.tool.value = 'move'
  }, [tab])
  if (scene === undefined) return null
  const open = (of: Marker | MapPlayer): void => setPicked((before) => ({ of, turn: (before?.turn ?? 0) + 1 }))
  const choosePlayer = (player: MapPlayer): void => {
    model.player.value = player.playerId
    open(player)
    go(linkTo(['map'], { world, tab: 'players' }))
  }
  const pick = ({ x, z }: { readonly x: number; readonly z: number }): void => {
    const [blockX, blockZ] = [Math.floor(x), Math.floor(z)]
    if (tab === 'history') model.box.value = { minX: blockX, minZ: blockZ, maxX: blockX, maxZ: blockZ }
    else if (model.draft.peek() === undefined) {
      const { scale } = model.view.peek()
      const marker = findMarkerAt(clusterPlayers(scene.live.players.peek(), scale), { x, z }, scale, clickReachPx)
      const [player] = marker?.players ?? []
      model.player.value = undefined
      if (marker === undefined || player === undefined) setPicked(undefined)
      else if (marker.players.length > 1) open(marker)
      else choosePlayer(player)
      if (marker === undefined) model.zone.value = findZonesAt(scene.live.zones.peek(), columnAt(blockX, blockZ))[0]?.id
    }
  }
  return (
    <>
      <Trouble scene={scene} />
      <div class="map-desk">
        <div class="map-side">
          <MapTools model={model} tab={tab}>
            <MapSearch model={model} scene={scene} />
          </MapTools>
          <MapCanvas model={model} scene={scene} pick={pick} mayDraw={tab !== 'history'}>
            <MapLegend model={model} scene={scene} />
            {picked !== undefined &&
              ('players' in picked.of ? (
                <PickedCrowd key={picked.turn} model={model} marker={picked.of} choose={choosePlayer} />
              ) : (
                <PickedPlayer key={picked.turn} model={model} player={picked.of} />
              ))}
            {chunkCount === 0 && <NoLand generate={() => setGenerating(true)} />}
          </MapCanvas>
        </div>
        <div class="card map-list">
          <nav class="views" aria-label={words.map.panels}>
            {tabs.map((name) => (
              <a key={name} href={linkTo(['map'], { world, tab: name })} aria-current={name === tab ? 'page' : undefined}>
                {words.map.tabs[name]}
              </a>
            ))}
          </nav>
          {tab === 'zones' && <ZonePanel world={world} model={model} scene={scene} />}
          {tab === 'players' && <PlayerPanel model={model} live={scene.live} />}
          {tab === 'history' &&
            (mayDo('admin.history.read') ? (
              <HistoryPanel world={world} model={model} />
            ) : (
              <p class="box">{words.needsPermission('admin.history.read')}</p>
            ))}
        </div>
      </div>
      {isGenerating && (
        <PregenDialog
          world={world}
          close={() => {
            setGenerating(false)
            reload()
          }}
        />
      )}
    </>
  )
}
