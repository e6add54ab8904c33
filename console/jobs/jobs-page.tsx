import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { ProblemError } from '../../sdk/auth.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { learnNames, nameOf } from '../state/player-names.ts'
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

/** The names of zones by id, as far as loaded; undefined for a zone that does not exist. */
const zoneNames = new Map<string, string | undefined>()

/** Loads the names of the zones of jobs. A name that cannot be loaded is requested again with the next list. */
const learnZones = async (jobs: readonly Job[], signal: AbortSignal): Promise<void> => {
  if (!mayDo('admin.instances.read')) return
  const missing = new Set(jobs.flatMap(({ zone }) => (zone === undefined || zoneNames.has(zone) ? [] : [zone])))
  await Promise.all(
    [...missing].map(async (id) => {
      try {
        zoneNames.set(id, (await call('GET /api/admin/instances/{id}', { params: { id }, signal })).body.name)
      } catch (error) {
        if (error instanceof ProblemError && error.problem.status === 404) zoneNames.set(id, undefined)
      }
    }),
  )
}

type Thing = { readonly text: string; readonly address?: string; readonly permission: string }

/** The zone and the world of a job, or its page. */
const listThings = ({ kind, world, zone }: Job): readonly Thing[] => {
  if (kind === 'backup' || kind === 'verify-backup')
    return [{ text: words.jobs.about.backups, address: linkTo(['backups']), permission: 'admin.backups.read' }]
  const things: Thing[] = []
  if (zone !== undefined) {
    const name = zoneNames.get(zone)
    const isGone = zoneNames.has(zone) && name === undefined
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

const describeDuration = (fromMs: number, toMs: number): string => {
  const seconds = Math.max(0, Math.round((toMs - fromMs) / 1000))
  if (seconds < 60) return words.jobs.durations.seconds(seconds)
  if (seconds < 3600) return words.jobs.durations.minutes(Math.floor(seconds / 60), seconds % 60)
  return words.jobs.durations.hours(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60)
}

const columns: readonly Column<Job>[] = [
  {
    head: words.jobs.kind,
    cell: (job) => (
      <>
        <strong class="job-name">{nameKind(job.kind)}</strong>
        <About job={job} />
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
          const starters = jobs.map(({ by }) => by).filter((by) => by !== 'operator' && by !== 'system')
          await Promise.all([learnNames(starters, signal).catch(() => undefined), learnZones(jobs, signal)])
          return { items: jobs, nextCursor }
        }}
      >
        {(jobs) => (
          <DataTable
            columns={jobs.some(isCancellable) ? [...columns, createActions(setCancelled)] : columns}
            rows={jobs}
            keyOf={({ id }) => id}
            empty={words.jobs.none}
          />
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
