import type { Answer } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Loading } from '../parts/loading.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { words } from '../words.ts'

type Node = Answer<'GET /api/realtime/nodes'>['body']['items'][number]

const columns: readonly Column<Node>[] = [
  {
    head: words.home.world,
    isLong: true,
    cell: ({ world, url, state }) => (
      <>
        {world} {state === 'draining' && <span class="badge warn">{words.home.draining}</span>}
        <br />
        <small>{url}</small>
      </>
    ),
  },
  { head: words.home.players, cell: ({ sessions, maxSessions }) => `${sessions} / ${maxSessions}`, isNumber: true },
]

/** The nodes with their worlds and players. */
export const Nodes = ({ everyMs }: { readonly everyMs: number }) => {
  const nodes = useLoad(async (signal) => (await call('GET /api/realtime/nodes', { signal })).body.items, [])
  useEvery(everyMs, nodes.refresh)
  return (
    <section class="card">
      <h2>{words.home.nodes}</h2>
      <Loading of={nodes}>
        {(items) =>
          items.length === 0 ? (
            <p class="box box-warn">{words.home.noNodes}</p>
          ) : (
            <DataTable columns={columns} rows={items} keyOf={({ nodeId }) => nodeId} empty={words.home.noNodes} />
          )
        }
      </Loading>
    </section>
  )
}
