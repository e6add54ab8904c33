import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { FollowedJob } from '../jobs/followed-job.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { Loading } from '../parts/loading.tsx'
import { MenuItem } from '../parts/menu.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { saveFile } from '../parts/save-file.ts'
import { formatSize } from '../parts/size.ts'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call, readBackupFile } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

type Backup = Answer<'GET /api/admin/backups'>['body']['backups'][number]

const refreshMs = 5000
const dayMs = 86_400_000
/** A backup older than this is a reason to warn. */
const oldMs = 7 * dayMs
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const Verified = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? <span class="badge state warn">{words.backups.notVerified}</span> : <Time at={at} />

const columnsFor = (restore: (backup: Backup) => void, downloading: readonly string[]): readonly Column<Backup>[] => [
  { head: words.backups.at, sort: ({ at }) => at, text: ({ at }) => at, cell: ({ at }) => <Time at={at} exact /> },
  { head: words.pages.worlds, text: ({ worlds }) => worlds.join(', '), cell: ({ worlds }) => worlds.join(', ') },
  {
    head: words.worlds.size,
    isNumber: true,
    sort: ({ sizeBytes }) => sizeBytes,
    text: ({ sizeBytes }) => String(sizeBytes),
    cell: ({ sizeBytes }) => formatSize(sizeBytes),
  },
  {
    head: words.backups.verified,
    sort: ({ verifiedAt = '' }) => verifiedAt,
    text: ({ verifiedAt = '' }) => verifiedAt,
    cell: ({ verifiedAt }) => <Verified at={verifiedAt} />,
  },
  {
    head: words.backups.restoreHead,
    cell: (backup) => (
      <span class="actions">
        <button type="button" aria-label={words.backups.of(words.backups.restore, backup.id)} onClick={() => restore(backup)}>
          {words.backups.restore}
        </button>
        {downloading.includes(backup.id) && <span class="badge warn">{words.backups.downloading}</span>}
      </span>
    ),
  },
]

/** The steps that restore a backup. The server must not run, so they are commands. */
const RestoreSteps = ({ id, close }: { readonly id: string; readonly close: () => void }) => (
  <Dialog title={words.backups.restoreTitle(id)} close={close}>
    <ol>
      <li>{words.backups.stop}</li>
      <li>
        {words.backups.run}
        <Copyable text={`npm run backup -- restore ${id} --replace`} label={words.backups.command} />
      </li>
      <li>{words.backups.start}</li>
    </ol>
    <p class="quiet">{words.backups.kept}</p>
  </Dialog>
)

const DeleteBackup = ({
  backup,
  close,
  done,
}: {
  readonly backup: Backup
  readonly close: () => void
  readonly done: () => void
}) => (
  <FormDialog
    title={words.backups.deleteTitle(local.format(new Date(backup.at)))}
    action={words.backups.deleteAct}
    isBad
    close={close}
    done={done}
    submit={async () => {
      await call('DELETE /api/admin/backups/{id}', { params: { id: backup.id } })
      tell(words.backups.deleted)
    }}
  >
    <p>{words.backups.deleteLead}</p>
  </FormDialog>
)

/** How old the newest backup is, and what follows from that; the number and the size of all. */
const LastBackup = ({ all }: { readonly all: readonly Backup[] }) => {
  const [newest] = all
  const ageMs = newest === undefined ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(newest.at)
  const isOld = ageMs > oldMs
  return (
    <section class={isOld ? 'card last-backup old' : 'card last-backup'} aria-label={words.backups.last}>
      <h2>{words.backups.last}</h2>
      {newest !== undefined && (
        <p class="big">
          <Time at={newest.at} />
        </p>
      )}
      <p class={isOld ? 'warn-text' : 'quiet'}>
        {newest === undefined
          ? words.backups.missing
          : isOld
            ? words.backups.old(Math.floor(ageMs / dayMs))
            : words.backups.fresh}
      </p>
      {newest !== undefined && (
        <dl class="facts">
          <dt>{words.pages.worlds}</dt>
          <dd>{words.listNames(newest.worlds)}</dd>
          <dt>{words.worlds.size}</dt>
          <dd>{formatSize(newest.sizeBytes)}</dd>
          <dt>{words.backups.verified}</dt>
          <dd>
            <Verified at={newest.verifiedAt} />
          </dd>
          <dt>{words.backups.all}</dt>
          <dd>{words.backups.allOf(all.length, formatSize(all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)))}</dd>
        </dl>
      )}
    </section>
  )
}

type Started = { readonly id: string; readonly text: string }

/** Lists backups of the data folder, creates, verifies and deletes them, and says how to restore one. */
export const BackupsPage = () => {
  const backups = useLoad(async (signal) => (await call('GET /api/admin/backups', { signal })).body.backups, [])
  const [job, setJob] = useState<Started>()
  const [restoring, setRestoring] = useState<Backup>()
  const [removing, setRemoving] = useState<Backup>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [downloading, setDownloading] = useState<readonly string[]>([])
  useEvery(refreshMs, backups.refresh)
  const start = async (text: string, begin: () => Promise<{ readonly body: { readonly id: string } }>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      setJob({ id: (await begin()).body.id, text })
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  const verify = ({ id }: Backup): void =>
    void start(words.backups.verifyStarted, () => call('POST /api/admin/backups/{id}/verify', { params: { id } }))
  const download = async ({ id }: Backup): Promise<void> => {
    setDownloading((last) => [...last, id])
    setError(undefined)
    await readBackupFile(id).then((file) => saveFile(file, `gatehouse-${id}.tar.gz`), setError)
    setDownloading((last) => last.filter((one) => one !== id))
  }
  const mayWrite = mayDo('admin.backups.write')
  const menu = (backup: Backup) => (
    <>
      <MenuItem icon="download" act={() => void download(backup)}>
        {words.backups.download}
      </MenuItem>
      <MenuItem icon="check" act={() => verify(backup)}>
        {words.backups.verify}
      </MenuItem>
      <MenuItem isBad act={() => setRemoving(backup)}>
        {words.backups.delete}
      </MenuItem>
    </>
  )
  return (
    <>
      <PageHead title={words.pages.backups}>
        {mayWrite && (
          <button
            type="button"
            class="main"
            disabled={isBusy}
            onClick={() => void start(words.backups.started, () => call('POST /api/admin/backups'))}
          >
            {words.backups.make}
          </button>
        )}
      </PageHead>
      <p class="quiet">{words.backups.lead}</p>
      <ProblemBox error={error} />
      {job !== undefined && <FollowedJob key={job.id} id={job.id} started={job.text} done={backups.reload} />}
      <Loading of={backups}>
        {(all) => (
          <>
            <div class="backup-cards">
              <LastBackup all={all} />
              {mayDo('admin.configs.read') && (
                <Lazy name="schedule" of={async () => (await import('./schedule-card.tsx')).ScheduleCard} props={{}} />
              )}
            </div>
            <DataTable
              columns={columnsFor(setRestoring, downloading)}
              rows={all}
              keyOf={({ id }) => id}
              {...(mayWrite && { menu })}
              menuLabel={({ id }) => words.backups.actionsOf(id)}
              counted={words.backups.counted}
              csvName="backups"
              empty={<EmptyState icon="backups" text={words.backups.none} />}
            />
          </>
        )}
      </Loading>
      {restoring !== undefined && <RestoreSteps id={restoring.id} close={() => setRestoring(undefined)} />}
      {removing !== undefined && (
        <DeleteBackup
          backup={removing}
          close={() => setRemoving(undefined)}
          done={() => {
            setRemoving(undefined)
            backups.reload()
          }}
        />
      )}
    </>
  )
}
