import { Fragment } from 'preact'
import { columnAt } from './scene/columns.ts'
import type { MapModel } from './scene/map-model.ts'
import { findZonesAt } from './scene/map-zones.ts'
import type { Scene } from './scene/open-scene.ts'
import { words } from './words.ts'

const widestPx = 140
const lengths = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const

/** A line that shows how long a round number of blocks is. */
const ScaleBar = ({ scale }: { readonly scale: number }) => {
  const blocks = lengths.findLast((length) => length * scale <= widestPx) ?? lengths[0]
  return (
    <span class="map-scale" style={{ width: `${blocks * scale}px` }}>
      {words.map.scale(blocks)}
    </span>
  )
}

/** The scale, and the block and zones under the pointer. It lies on the map. */
export const MapLegend = ({ model, scene }: { readonly model: MapModel; readonly scene: Scene }) => {
  const at = model.pointed.value
  const names = at === undefined ? [] : findZonesAt(scene.live.zones.value, columnAt(at.x, at.z)).map(({ name }) => name)
  return (
    <div class="map-legend">
      <ScaleBar scale={model.view.value.scale} />
      {at !== undefined && (
        <span class="map-at cut">
          {words.map.at(at.x, at.z)}
          {names.map((name, index) => (
            <Fragment key={index}>
              {' · '}
              <bdi>{name}</bdi>
            </Fragment>
          ))}
        </span>
      )}
    </div>
  )
}
