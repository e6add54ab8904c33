import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { go, linkTo, route } from '../state/route.ts'
import { MapDesk } from './map-desk.tsx'
import { words } from './words.ts'

/** The map of a world. `?world=` selects it; `&zone=` and `&tab=` select its zone and panel. */
export const MapPage = () => {
  const worlds = useLoad(async (signal) => (await call('GET /api/admin/worlds', { signal })).body, [])
  const asked = route.value.query
  const world = worlds.value?.find(({ name }) => name === asked.get('world')) ?? worlds.value?.[0]
  return (
    <>
      <PageHead title={words.pages.map}>
        {worlds.value !== undefined && worlds.value.length > 1 && (
          <label class="map-world">
            <span>{words.map.world}</span>
            <select value={world?.name} onChange={({ currentTarget }) => go(linkTo(['map'], { world: currentTarget.value }))}>
              {worlds.value.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </PageHead>
      <Loading of={worlds}>
        {() =>
          world === undefined ? (
            <p class="empty">{words.map.noWorlds}</p>
          ) : (
            <MapDesk key={world.name} world={world} reload={worlds.reload} />
          )
        }
      </Loading>
    </>
  )
}
