import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { go, linkTo, route } from '../state/route.ts'
import { words } from '../words.ts'
import { MapDesk } from './map-desk.tsx'

/** The map of a world. `?world=` selects it; `&zone=` and `&tab=` select what is shown. */
export const MapPage = () => {
  const worlds = useLoad(async (signal) => (await call('GET /api/admin/worlds', { signal })).body, [])
  const asked = route.value.query
  return (
    <>
      <PageHead title={words.pages.map} />
      <Loading of={worlds}>
        {(all) => {
          const world = all.find(({ name }) => name === asked.get('world')) ?? all[0]
          if (world === undefined) return <p class="quiet">{words.map.noWorlds}</p>
          return (
            <>
              {all.length > 1 && (
                <div class="filters">
                  <Field label={words.map.world}>
                    <select
                      value={world.name}
                      onChange={({ currentTarget }) => go(linkTo(['map'], { world: currentTarget.value }))}
                    >
                      {all.map(({ name }) => (
                        <option key={name} value={name}>
                          {name}
                        </option>
                      ))}
                    </select>
                  </Field>
                </div>
              )}
              <MapDesk key={world.name} world={world.name} />
            </>
          )
        }}
      </Loading>
    </>
  )
}
