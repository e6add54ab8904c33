import type { Answer } from '../../sdk/admin.ts'
import { Badges } from '../parts/badges.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loading } from '../parts/loading.tsx'
import { describeProblem } from '../parts/problem-box.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { words } from '../words.ts'

type Invitation = Answer<'GET /api/admin/invitations'>['body']['invitations'][number]

/** Unused invitations, which can be revoked. Their links are shown only once, when they are created. */
export const Invitations = ({ close }: { readonly close: () => void }) => {
  const list = useLoad(async (signal) => (await call('GET /api/admin/invitations', { signal })).body.invitations, [])
  const revoke = async (id: string): Promise<void> => {
    try {
      await call('DELETE /api/admin/invitations/{id}', { params: { id } })
      tell(words.people.invitations.revoked)
    } catch (error) {
      tell(describeProblem(error))
    }
    list.reload()
  }
  const columns: readonly Column<Invitation>[] = [
    { head: words.people.groups, cell: ({ groups = [] }) => <Badges names={groups} /> },
    { head: words.people.invitations.by, cell: ({ by }) => <bdi>{by}</bdi>, isLong: true },
    { head: words.people.created, cell: ({ at }) => <Time at={at} /> },
    { head: words.grants.end, cell: ({ until }) => <Time at={until} /> },
    {
      head: words.table.actions,
      cell: ({ id }) => (
        <button type="button" onClick={() => void revoke(id)}>
          {words.grants.remove}
        </button>
      ),
    },
  ]
  return (
    <Dialog title={words.people.invitations.title} close={close} wide>
      <p class="quiet">{words.people.invitations.lead}</p>
      <Loading of={list}>
        {(all) => (
          <DataTable
            columns={columns}
            rows={all}
            keyOf={({ id }) => id}
            counted={words.people.invitations.counted}
            empty={<EmptyState icon="people" text={words.people.invitations.none} />}
          />
        )}
      </Loading>
    </Dialog>
  )
}
