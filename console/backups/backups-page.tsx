import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { FollowedJob } from '../jobs/followed-job.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { formatSize } from '../parts/size.ts'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

type Backup = Answer<'GET /api/admin/backups'>['body']['backups'][number]

const refreshMs = 5000

const createColumns = (restore: (id: string) => void): readonly Column<Backup>[] => [
  { head: words.backups.at, cell: ({ at }) => <Time at={at} exact /> },
  { head: words.pages.worlds, cell: ({ worlds }) => worlds.join(', ') },
  { head: words.worlds.size, cell: ({ sizeBytes }) => formatSize(sizeBytes), isNumber: true },
  {
    head: words.backups.verified,
    cell: ({ verifiedAt }) =>
      verifiedAt === undefined ? <span class="badge warn">{words.backups.notVerified}</span> : <Time at={verifiedAt} />,
  },
  { head: words.backups.id, cell: ({ id }) => <code>{id}</code> },
  {
    head: words.players.actions,
    cell: ({ id }) => (
      <button type="button" onClick={() => restore(id)}>
        {words.backups.restore}
      </button>
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

/** Lists backups of the data folder, creates new ones, and says how to restore one. */
export const BackupsPage = () => {
  const backups = useLoad(async (signal) => (await call('GET /api/admin/backups', { signal })).body.backups, [])
  const [job, setJob] = useState<string>()
  const [restoring, setRestoring] = useState<string>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  useEvery(refreshMs, backups.refresh)
  const start = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      setJob((await call('POST /api/admin/backups')).body.id)
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  return (
    <>
      <PageHead title={words.pages.backups}>
        {mayDo('admin.backups.write') && (
          <button type="button" class="main" disabled={isBusy} onClick={() => void start()}>
            {words.backups.make}
          </button>
        )}
      </PageHead>
      <p class="quiet">{words.backups.lead}</p>
      <ProblemBox error={error} />
      {job !== undefined && <FollowedJob key={job} id={job} started={words.backups.started} done={backups.reload} />}
      <Loading of={backups}>
        {(all) => (
          <DataTable columns={createColumns(setRestoring)} rows={all} keyOf={({ id }) => id} empty={words.backups.none} />
        )}
      </Loading>
      {restoring !== undefined && <RestoreSteps id={restoring} close={() => setRestoring(undefined)} />}
    </>
  )
}
