import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { FollowedJob } from '../jobs/followed-job.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { Loading } from '../parts/loading.tsx'
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

type Acts = {
  readonly restore: (backup: Backup) => void
  readonly remove: (backup: Backup) => void
  readonly verify: (backup: Backup) => void
  readonly onError: (error: unknown) => void
}

const refreshMs = 5000
const dayMs = 86_400_000
/** A backup older than this is a reason to warn. */
const oldMs = 7 * dayMs
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const Download = ({ id, onError }: { readonly id: string; readonly onError: (error: unknown) => void }) => {
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    onError(undefined)
    await readBackupFile(id).then((file) => saveFile(file, `gatehouse-${id}.tar.gz`), onError)
    setBusy(false)
  }
  return (
    <button type="button" aria-label={words.backups.of(words.backups.download, id)} disabled={isBusy} onClick={() => void save()}>
      {isBusy ? words.backups.downloading : words.backups.download}
    </button>
  )
}

const createColumns = ({ restore, remove, verify, onError }: Acts): readonly Column<Backup>[] => [
  { head: words.backups.at, cell: ({ at }) => <Time at={at} exact /> },
  { head: words.pages.worlds, cell: ({ worlds }) => worlds.join(', ') },
  { head: words.worlds.size, cell: ({ sizeBytes }) => formatSize(sizeBytes), isNumber: true },
  {
    head: words.backups.verified,
    cell: ({ verifiedAt }) =>
      verifiedAt === undefined ? <span class="badge state warn">{words.backups.notVerified}</span> : <Time at={verifiedAt} />,
  },
  {
    head: words.backups.actions,
    cell: (backup) => (
      <div class="actions">
        <button type="button" aria-label={words.backups.of(words.backups.restore, backup.id)} onClick={() => restore(backup)}>
          {words.backups.restore}
        </button>
        {mayDo('admin.backups.write') && (
          <>
            <Download id={backup.id} onError={onError} />
            <button type="button" aria-label={words.backups.of(words.backups.verify, backup.id)} onClick={() => verify(backup)}>
              {words.backups.verify}
            </button>
            <button type="button" aria-label={words.backups.of(words.backups.delete, backup.id)} onClick={() => remove(backup)}>
              {words.backups.delete}
            </button>
          </>
        )}
      </div>
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

/** How old the newest backup is, and what follows from that. */
const LastBackup = ({ newest }: { readonly newest: Backup | undefined }) => {
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
  return (
    <>
      <PageHead title={words.pages.backups}>
        {mayDo('admin.backups.write') && (
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
              <LastBackup newest={all[0]} />
              {mayDo('admin.configs.read') && (
                <Lazy name="schedule" of={async () => (await import('./schedule-card.tsx')).ScheduleCard} props={{}} />
              )}
            </div>
            <DataTable
              columns={createColumns({ restore: setRestoring, remove: setRemoving, verify, onError: setError })}
              rows={all}
              keyOf={({ id }) => id}
              empty={words.backups.none}
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
