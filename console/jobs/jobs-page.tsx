import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

type Job = Answer<'GET /api/admin/jobs'>['body']['jobs'][number]

const refreshMs = 2000
const badges = {
  queued: 'badge',
  running: 'badge warn',
  done: 'badge good',
  failed: 'badge bad',
  cancelled: 'badge',
} as const

/** The permission to start a job of each kind, and to cancel it. */
const permissions: Readonly<Record<string, string>> = {
  pregen: 'admin.worlds.write',
  backup: 'admin.backups.write',
  rollback: 'admin.history.write',
  restore: 'admin.instances.write',
  snapshot: 'admin.instances.write',
}

const nameKind = (kind: string): string => words.jobs.kinds[kind] ?? kind

const isCancellable = ({ kind, state }: Job): boolean =>
  (state === 'queued' || state === 'running') && mayDo(permissions[kind] ?? 'admin.jobs.write')

const Progress = ({ of: { kind, state, progress } }: { readonly of: Job }) => {
  if (state !== 'running') return <span class={badges[state]}>{words.jobs.states[state]}</span>
  return (
    <>
      <progress max={1} value={progress} aria-label={words.jobs.progressOf(nameKind(kind))} /> {Math.floor(progress * 100)} %
    </>
  )
}

const createColumns = (cancel: (job: Job) => void): readonly Column<Job>[] => [
  { head: words.jobs.kind, cell: ({ kind }) => nameKind(kind) },
  { head: words.jobs.state, cell: (job) => <Progress of={job} /> },
  { head: words.jobs.detail, cell: ({ detail }) => <bdi>{detail}</bdi>, isLong: true },
  { head: words.jobs.started, cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    head: words.jobs.finished,
    cell: ({ finishedAt }) => (finishedAt === undefined ? <span class="quiet">—</span> : <Time at={finishedAt} />),
  },
  {
    head: words.players.actions,
    cell: (job) =>
      isCancellable(job) ? (
        <button type="button" onClick={() => cancel(job)}>
          {words.jobs.cancel}
        </button>
      ) : null,
  },
]

/** Jobs and their progress. */
export const JobsPage = () => {
  const [cancelled, setCancelled] = useState<Job>()
  return (
    <>
      <PageHead title={words.pages.jobs} />
      <PagedList
        keys={[]}
        everyMs={refreshMs}
        ask={async (query, signal) => {
          const { jobs, nextCursor } = (await call('GET /api/admin/jobs', { query, signal })).body
          return { items: jobs, nextCursor }
        }}
      >
        {(jobs) => <DataTable columns={createColumns(setCancelled)} rows={jobs} keyOf={({ id }) => id} empty={words.jobs.none} />}
      </PagedList>
      {cancelled !== undefined && (
        <FormDialog
          title={words.jobs.cancelTitle(nameKind(cancelled.kind))}
          action={words.jobs.cancel}
          isBad
          close={() => setCancelled(undefined)}
          submit={async () => {
            await call('DELETE /api/admin/jobs/{id}', { params: { id: cancelled.id } })
            tell(words.jobs.isCancelled)
          }}
        >
          <p>{words.jobs.cancelLead}</p>
        </FormDialog>
      )}
    </>
  )
}
