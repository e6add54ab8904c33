import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { MapCanvas } from './drawing/map-canvas.tsx'
import { HistoryPanel } from './history/history-panel.tsx'
import { MapTools } from './map-tools.tsx'
import { PlayerPanel } from './player-panel.tsx'
import { columnAt } from './scene/columns.ts'
import { modelOf } from './scene/kept-models.ts'
import type { LiveTrouble } from './scene/live-world.ts'
import type { MapModel } from './scene/map-model.ts'
import { findZonesAt } from './scene/map-zones.ts'
import { openScene, type Scene } from './scene/open-scene.ts'
import { fitArea } from './scene/view.ts'
import { ZonePanel } from './zones/zone-panel.tsx'

const tabs = ['zones', 'players', 'history'] as const
type Tab = (typeof tabs)[number]

const describeTrouble = (trouble: LiveTrouble): string => {
  if (trouble.kind === 'refused') return words.map.notLive(trouble.text)
  return { opening: words.map.opening, stopped: words.map.stopped, away: words.map.away, lost: words.map.feedLost }[trouble.kind]
}

/** Block and zones under the pointer. */
const Pointed = ({ model, scene }: { readonly model: MapModel; readonly scene: Scene }) => {
  const at = model.pointed.value
  if (at === undefined) return <p class="map-at quiet">&nbsp;</p>
  const names = findZonesAt(scene.live.zones.value, columnAt(at.x, at.z)).map(({ name }) => name)
  return (
    <p class="map-at quiet cut">
      {words.map.at(at.x, at.z)}{' '}
      {names.map((name, at) => (
        <Fragment key={at}>
          {' · '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </p>
  )
}

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

/** The map of one world, and the list beside it. */
export const MapDesk = ({ world }: { readonly world: string }) => {
  const model = modelOf(world)
  const [scene, setScene] = useState<Scene>()
  const tab = readTab()
  const asked = route.value.query.get('zone')
  useEffect(() => {
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
  const pick = ({ x, z }: { readonly x: number; readonly z: number }): void => {
    const [blockX, blockZ] = [Math.floor(x), Math.floor(z)]
    if (tab === 'history') model.box.value = { minX: blockX, minZ: blockZ, maxX: blockX, maxZ: blockZ }
    else if (model.draft.peek() === undefined)
      model.zone.value = findZonesAt(scene.live.zones.peek(), columnAt(blockX, blockZ))[0]?.id
  }
  return (
    <>
      <Trouble scene={scene} />
      <div class="map-desk">
        <div class="map-side">
          <MapTools model={model} tab={tab} />
          <MapCanvas model={model} scene={scene} pick={pick} mayDraw={tab !== 'history'} />
          <Pointed model={model} scene={scene} />
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
    </>
  )
}
