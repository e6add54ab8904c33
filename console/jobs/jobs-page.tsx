import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FilterChips } from '../parts/filter-chips.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { learnNames, nameOf } from '../state/player-names.ts'
import { go, linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { learnZones, zoneNameOf } from '../state/zone-names.ts'
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

type Thing = { readonly text: string; readonly address?: string; readonly permission: string }

/** The zone and the world of a job, or its page. */
const listThings = ({ kind, world, zone }: Job): readonly Thing[] => {
  if (kind === 'backup' || kind === 'verify-backup')
    return [{ text: words.jobs.about.backups, address: linkTo(['backups']), permission: 'admin.backups.read' }]
  const things: Thing[] = []
  if (zone !== undefined) {
    const name = zoneNameOf(zone)
    const isGone = name === null
    things.push({
      text: isGone ? words.jobs.about.deletedZone : words.jobs.about.zone(name ?? zone),
      ...(!isGone && { address: linkTo(['map', zone]) }),
      permission: 'admin.instances.read',
    })
  }
  if (kind === 'rollback')
    things.push({
      text: words.jobs.about.history,
      address: linkTo(['map'], { world, zone, tab: 'history' }),
      permission: 'admin.history.read',
    })
  if (world !== undefined)
    things.push({
      text: words.jobs.about.world(world),
      address: kind === 'import-world' ? linkTo(['worlds']) : linkTo(['map'], { world }),
      permission: 'admin.worlds.read',
    })
  return things
}

const About = ({ job }: { readonly job: Job }) => (
  <ul class="job-things">
    {listThings(job)
      .filter(({ permission }) => mayDo(permission))
      .map(({ text, address }) => (
        <li key={text}>
          {address === undefined ? (
            <bdi>{text}</bdi>
          ) : (
            <a href={address}>
              <bdi>{text}</bdi>
            </a>
          )}
        </li>
      ))}
  </ul>
)

const nameStarter = (by: string): string => {
  if (by === 'operator') return words.jobs.byOperator
  return by === 'system' ? words.jobs.bySchedule : nameOf(by)
}

const describeDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return words.jobs.durations.seconds(seconds)
  if (seconds < 3600) return words.jobs.durations.minutes(Math.floor(seconds / 60), seconds % 60)
  return words.jobs.durations.hours(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60)
}

const durationMsOf = ({ startedAt, finishedAt }: Job): number =>
  (finishedAt === undefined ? Date.now() : Date.parse(finishedAt)) - Date.parse(startedAt)

const columns: readonly Column<Job>[] = [
  {
    head: words.jobs.kind,
    sort: ({ kind }) => nameKind(kind),
    text: (job) => [nameKind(job.kind), ...listThings(job).map(({ text }) => text)].join(' · '),
    cell: (job) => (
      <>
        <strong class="job-name">{nameKind(job.kind)}</strong>
        <About job={job} />
      </>
    ),
  },
  {
    head: words.jobs.state,
    sort: ({ state }) => words.jobs.states[state],
    text: ({ state }) => words.jobs.states[state],
    cell: (job) => <Progress of={job} />,
  },
  { head: words.jobs.detail, text: ({ detail }) => detail, cell: ({ detail }) => <bdi>{detail}</bdi>, isLong: true },
  {
    head: words.jobs.by,
    sort: ({ by }) => nameStarter(by),
    text: ({ by }) => nameStarter(by),
    cell: ({ by }) => <bdi>{nameStarter(by)}</bdi>,
  },
  {
    head: words.jobs.started,
    sort: ({ startedAt }) => startedAt,
    text: ({ startedAt }) => startedAt,
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
  {
    head: words.jobs.took,
    isNumber: true,
    sort: durationMsOf,
    text: (job) => describeDuration(durationMsOf(job)),
    cell: (job) => describeDuration(durationMsOf(job)),
  },
]

const createActions = (cancel: (job: Job) => void): Column<Job> => ({
  head: words.jobs.actions,
  cell: (job) =>
    isCancellable(job) ? (
      <button type="button" onClick={() => cancel(job)}>
        {words.jobs.cancel}
      </button>
    ) : null,
})

const states = ['running', 'queued', 'done', 'failed', 'cancelled'] as const

/** Jobs and their progress. The states that are shown are part of the address. */
export const JobsPage = () => {
  const [cancelled, setCancelled] = useState<Job>()
  const on = new Set((route.value.query.get('state') ?? '').split(' ').filter((state) => states.some((one) => one === state)))
  return (
    <>
      <PageHead title={words.pages.jobs} />
      <PagedList
        keys={[]}
        everyMs={refreshMs}
        wantsAll={on.size > 0}
        ask={async (query, signal) => {
          const { jobs, nextCursor } = (await call('GET /api/admin/jobs', { query, signal })).body
          const starters = jobs.map(({ by }) => by).filter((by) => by !== 'operator' && by !== 'system')
          await Promise.all([
            learnNames(starters, signal).catch(() => undefined),
            learnZones(
              jobs.flatMap(({ zone }) => zone ?? []),
              signal,
            ),
          ])
          return { items: jobs, nextCursor }
        }}
      >
        {(jobs, { loadAll, isWhole }) => (
          <>
            {jobs.length > 0 && (
              <div class="toolbar">
                <FilterChips
                  label={words.table.filters}
                  chips={states.map((name) => ({
                    name,
                    label: words.jobs.states[name],
                    ...(isWhole && { count: jobs.filter(({ state }) => state === name).length }),
                  }))}
                  on={on}
                  change={(next) => go(linkTo(['jobs'], { state: [...next].join(' ') }), true)}
                />
              </div>
            )}
            <DataTable
              columns={jobs.some(isCancellable) ? [...columns, createActions(setCancelled)] : columns}
              rows={on.size === 0 ? jobs : jobs.filter(({ state }) => on.has(state))}
              keyOf={({ id }) => id}
              sorted={loadAll}
              counted={(count) => words.jobs.counted(count, isWhole)}
              csvName="jobs"
              empty={jobs.length > 0 ? words.jobs.noneMatch : <EmptyState icon="jobs" text={words.jobs.none} />}
            />
          </>
        )}
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
