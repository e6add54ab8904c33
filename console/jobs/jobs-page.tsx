import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { learnNames, nameOf } from '../people/player-names.ts'
import { call } from '../state/api.ts'
import { linkTo } from '../state/route.ts'
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
  'verify-backup': 'admin.backups.write',
  rollback: 'admin.history.write',
  restore: 'admin.instances.write',
  snapshot: 'admin.instances.write',
  'import-world': 'admin.worlds.write',
}

const nameKind = (kind: string): string => words.jobs.kinds[kind] ?? kind

const isCancellable = ({ kind, state }: Job): boolean =>
  (state === 'queued' || state === 'running') && mayDo(permissions[kind] ?? 'admin.jobs.write')

const Progress = ({ of: { kind, state, progress } }: { readonly of: Job }) => {
  if (state !== 'running') return <span class={badges[state]}>{words.jobs.states[state]}</span>
  return (
    <>
      <progress max={1} value={progress} aria-label={words.jobs.progressOf(nameKind(kind))} />{' '}
      <span class="number">{words.jobs.percent(progress)}</span>
    </>
  )
}

/** The page with the results of a job, by kind. */
const places: Readonly<Record<string, { readonly text: string; readonly address: string; readonly permission: string }>> = {
  pregen: { text: words.jobs.about.worlds, address: linkTo(['worlds']), permission: 'admin.worlds.read' },
  'import-world': { text: words.jobs.about.worlds, address: linkTo(['worlds']), permission: 'admin.worlds.read' },
  backup: { text: words.jobs.about.backups, address: linkTo(['backups']), permission: 'admin.backups.read' },
  'verify-backup': { text: words.jobs.about.backups, address: linkTo(['backups']), permission: 'admin.backups.read' },
  rollback: { text: words.jobs.about.history, address: linkTo(['map'], { tab: 'history' }), permission: 'admin.history.read' },
  snapshot: { text: words.jobs.about.map, address: linkTo(['map']), permission: 'admin.instances.read' },
  restore: { text: words.jobs.about.map, address: linkTo(['map']), permission: 'admin.instances.read' },
}

const About = ({ kind }: { readonly kind: string }) => {
  const place = places[kind]
  if (place === undefined || !mayDo(place.permission)) return null
  return (
    <small>
      <a href={place.address}>{place.text}</a>
    </small>
  )
}

const nameStarter = (by: string): string => {
  if (by === 'operator') return words.jobs.byOperator
  return by === 'system' ? words.jobs.bySchedule : nameOf(by)
}

const describeDuration = (fromMs: number, toMs: number): string => {
  const seconds = Math.max(0, Math.round((toMs - fromMs) / 1000))
  if (seconds < 60) return words.jobs.durations.seconds(seconds)
  if (seconds < 3600) return words.jobs.durations.minutes(Math.floor(seconds / 60), seconds % 60)
  return words.jobs.durations.hours(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60)
}

const createColumns = (cancel: (job: Job) => void): readonly Column<Job>[] => [
  {
    head: words.jobs.kind,
    cell: ({ kind }) => (
      <>
        <strong>{nameKind(kind)}</strong>
        <div>
          <About kind={kind} />
        </div>
      </>
    ),
  },
  { head: words.jobs.state, cell: (job) => <Progress of={job} /> },
  { head: words.jobs.detail, cell: ({ detail }) => <bdi>{detail}</bdi>, isLong: true },
  { head: words.jobs.by, cell: ({ by }) => <bdi>{nameStarter(by)}</bdi> },
  { head: words.jobs.started, cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    head: words.jobs.took,
    cell: ({ startedAt, finishedAt }) =>
      describeDuration(Date.parse(startedAt), finishedAt === undefined ? Date.now() : Date.parse(finishedAt)),
    isNumber: true,
  },
  {
    head: words.jobs.actions,
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
          await learnNames(
            jobs.map(({ by }) => by).filter((by) => by !== 'operator' && by !== 'system'),
            signal,
          ).catch(() => undefined)
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
