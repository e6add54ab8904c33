import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { FollowedJob } from '../jobs/followed-job.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Loading } from '../parts/loading.tsx'
import { Named } from '../parts/named.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { Time } from '../parts/time.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'
import { words } from './words.ts'

type Snapshot = Answer<'GET /api/admin/instances/{id}/snapshots'>['body'][number]
type Started = { readonly id: string; readonly text: ComponentChildren }
type Asked = { readonly what: 'restore' | 'delete'; readonly of: Snapshot }

const restoreOf = (zone: string, snapshot: string, dryRun: boolean) =>
  call('POST /api/admin/instances/{id}/snapshots/{snapshot}/restore', { params: { id: zone, snapshot }, query: { dryRun } })

type DialogProps = { readonly zone: string; readonly close: () => void; readonly done: () => void }
type RestoreProps = DialogProps & { readonly of: Snapshot; readonly started: (job: Started) => void }

/** Counts the differences before a restore. */
const Restore = ({ zone, of: { id, name }, close, done, started }: RestoreProps) => {
  const counted = useLoad(async () => {
    const answer = await restoreOf(zone, id, true)
    return answer.status === 200 ? answer.body.blocks : 0
  }, [id])
  const submit = async (): Promise<void> => {
    const answer = await restoreOf(zone, id, false)
    if (answer.status === 202) started({ id: answer.body.id, text: <Named say={words.zone.restoring} names={[name]} /> })
  }
  return (
    <FormDialog
      title={<Named say={words.zone.restoreTitle} names={[name]} />}
      action={words.zone.restore}
      isBad
      isReady={counted.value !== undefined && counted.value > 0}
      close={close}
      done={done}
      submit={submit}
    >
      <Loading of={counted}>{(blocks) => <p>{words.zone.restoreCounts(blocks)}</p>}</Loading>
    </FormDialog>
  )
}

/** The snapshots of a zone: take, restore and delete. */
export const ZoneSnapshots = ({ zone }: { readonly zone: string }) => {
  const snapshots = useLoad(
    async (signal) => (await call('GET /api/admin/instances/{id}/snapshots', { params: { id: zone }, signal })).body,
    [zone],
  )
  const [asked, setAsked] = useState<Asked>()
  const [job, setJob] = useState<Started>()
  const [isTaking, setTaking] = useState(false)
  const [error, setError] = useState<unknown>()
  const close = (): void => setAsked(undefined)
  const done = (): void => {
    close()
    snapshots.reload()
  }
  const take = async (fields: FormData): Promise<void> => {
    const body = { name: String(fields.get('name')).trim() }
    const answer = await call('POST /api/admin/instances/{id}/snapshots', { params: { id: zone }, body })
    if (answer.status === 202) setJob({ id: answer.body.id, text: words.zone.taking })
    else tell(words.zone.taken)
  }
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    if (isTaking || !(form instanceof HTMLFormElement)) return
    setTaking(true)
    setError(undefined)
    try {
      await take(new FormData(form))
      form.reset()
      snapshots.reload()
    } catch (problem) {
      setError(problem)
    }
    setTaking(false)
  }
  const columns: readonly Column<Snapshot>[] = [
    { head: words.zone.snapshotName, cell: ({ name }) => <bdi>{name}</bdi>, isLong: true },
    { head: words.backups.at, cell: ({ at }) => <Time at={at} /> },
    { head: words.zone.blocks, cell: ({ blocks }) => blocks.toLocaleString(), isNumber: true },
    ...(mayDo('admin.instances.write')
      ? [
          {
            head: words.players.actions,
            cell: (of: Snapshot) => (
              <div class="actions">
                <button type="button" onClick={() => setAsked({ what: 'restore', of })}>
                  {words.zone.restore}…
                </button>
                <button type="button" class="bad" onClick={() => setAsked({ what: 'delete', of })}>
                  {words.zone.delete}
                </button>
              </div>
            ),
          },
        ]
      : []),
  ]
  return (
    <section class="card wide-card">
      <header class="card-head">
        <h2>{words.zone.snapshots}</h2>
        {mayDo('admin.instances.write') && (
          <form class="one-line" onSubmit={(event) => void submit(event)}>
            <input
              name="name"
              aria-label={words.zone.snapshotName}
              placeholder={words.zone.snapshotName}
              required
              maxLength={64}
              autocomplete="off"
            />
            <button type="submit" disabled={isTaking}>
              {isTaking ? words.working : words.zone.take}
            </button>
          </form>
        )}
      </header>
      <ProblemBox error={error} />
      {job !== undefined && <FollowedJob key={job.id} id={job.id} started={job.text} done={snapshots.reload} />}
      <Loading of={snapshots}>
        {(all) => <DataTable columns={columns} rows={all} keyOf={({ id }) => id} empty={words.zone.noSnapshots} />}
      </Loading>
      {asked?.what === 'restore' && <Restore zone={zone} of={asked.of} close={close} done={done} started={setJob} />}
      {asked?.what === 'delete' && (
        <FormDialog
          title={<Named say={words.zone.deleteSnapshot} names={[asked.of.name]} />}
          action={words.zone.delete}
          isBad
          close={close}
          done={done}
          submit={async () => {
            const params = { id: zone, snapshot: asked.of.id }
            await call('DELETE /api/admin/instances/{id}/snapshots/{snapshot}', { params })
          }}
        />
      )}
    </section>
  )
}
