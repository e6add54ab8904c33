import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../../sdk/admin.ts'
import { Named } from '../../parts/named.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { Time } from '../../parts/time.tsx'
import { call } from '../../state/api.ts'
import { learnNames } from '../../state/player-names.ts'
import { mayDo } from '../../state/session.ts'
import type { MapModel } from '../scene/map-model.ts'
import type { Area } from '../scene/view.ts'
import { words } from '../words.ts'
import { type Author, authorName } from './author.ts'
import { blockName, learnBlockNames } from './block-names.ts'
import { type Box, BoxFields } from './box-fields.tsx'
import { RollbackForm } from './rollback-form.tsx'

type Change = Answer<'GET /api/admin/worlds/{world}/history'>['body']['changes'][number]

const restMs = 400
const yTop = 255

/** The block under the pointer, after it stops moving. */
const useRest = (model: MapModel): Area | undefined => {
  const [area, setArea] = useState<Area>()
  const at = model.pointed.value
  useEffect(() => {
    if (at === undefined) return undefined
    const timer = setTimeout(() => setArea({ minX: at.x, minZ: at.z, maxX: at.x, maxZ: at.z }), restMs)
    return () => clearTimeout(timer)
  }, [at?.x, at?.z])
  return area
}

/** The player and the module of a change, as far as it has them. */
const authorsOf = ({ by, module }: Change): readonly Author[] => [
  ...(by === undefined ? [] : [{ by }]),
  ...(module === undefined ? [] : [{ module }]),
]

type ItemProps = { readonly change: Change; readonly only: ((author: Author) => void) | undefined }

const ChangeItem = ({ change, only }: ItemProps) => (
  <li class="map-item">
    <div>
      <strong>
        <bdi>{authorsOf(change).map(authorName).join(' · ')}</bdi>
      </strong>{' '}
      <span class="quiet">{words.map.history.via[change.via]}</span> <Time at={change.at} />
    </div>
    <div>
      <code>{words.map.history.changed(blockName(change.from), blockName(change.to))}</code>{' '}
      <small class="quiet">{words.map.players.place(change.x, change.y, change.z)}</small>
    </div>
    {only !== undefined &&
      authorsOf(change).map((author) => (
        <button key={authorName(author)} type="button" class="link" onClick={() => only(author)}>
          <Named say={words.map.history.only} names={[authorName(author)]} />
        </button>
      ))}
  </li>
)

/** The changes in a box, newest first, with their rollback. */
export const HistoryPanel = ({ world, model }: { readonly world: string; readonly model: MapModel }) => {
  const [heights, setHeights] = useState({ minY: 0, maxY: yTop })
  const [author, setAuthor] = useState<Author>()
  const [turn, setTurn] = useState(0)
  const rested = useRest(model)
  const pinned = model.box.value
  const area = pinned ?? rested
  const box: Box | undefined = area && { ...area, ...heights }
  const set = ({ minY, maxY, ...next }: Box): void => {
    setHeights({ minY, maxY })
    model.box.value = next
  }
  return (
    <>
      <p class="quiet">{words.map.history.lead}</p>
      <BoxFields key={JSON.stringify(pinned)} box={box ?? { minX: 0, minZ: 0, maxX: 0, maxZ: 0, ...heights }} set={set} />
      {pinned !== undefined && (
        <p>
          <button
            type="button"
            onClick={() => {
              model.box.value = undefined
            }}
          >
            {words.map.history.follow}
          </button>
        </p>
      )}
      {author !== undefined && (
        <p>
          {words.map.history.onlyBy}{' '}
          <strong>
            <bdi>{authorName(author)}</bdi>
          </strong>{' '}
          <button type="button" class="link" onClick={() => setAuthor(undefined)}>
            {words.map.history.everybody}
          </button>
        </p>
      )}
      {box !== undefined && pinned !== undefined && mayDo('admin.history.write') && (
        <RollbackForm
          key={JSON.stringify([box, author])}
          world={world}
          box={box}
          author={author}
          done={() => setTurn(turn + 1)}
        />
      )}
      {box !== undefined && (
        <PagedList
          keys={[world, JSON.stringify(box), JSON.stringify(author)]}
          turn={turn}
          ask={async (page, signal) => {
            const query = { ...box, ...page, ...author }
            const { changes, nextCursor } = (
              await call('GET /api/admin/worlds/{world}/history', { params: { world }, query, signal })
            ).body
            await learnBlockNames(signal)
            await learnNames(
              changes.flatMap((change) => change.by ?? []),
              signal,
            ).catch(() => undefined)
            return { items: changes, nextCursor }
          }}
        >
          {(changes) =>
            changes.length === 0 ? (
              <p class="quiet">{words.map.history.none}</p>
            ) : (
              <ul class="plain-list">
                {changes.map((change, index) => (
                  <ChangeItem key={index} change={change} only={author === undefined ? setAuthor : undefined} />
                ))}
              </ul>
            )
          }
        </PagedList>
      )}
    </>
  )
}
