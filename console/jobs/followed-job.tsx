import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../parts/loading.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

const refreshMs = 1_000

const Follow = ({ id, done }: { readonly id: string; readonly done: () => void }) => {
  const job = useLoad(async (signal) => (await call('GET /api/admin/jobs/{id}', { params: { id }, signal })).body, [id])
  const isOver = job.value !== undefined && job.value.state !== 'queued' && job.value.state !== 'running'
  useEvery(refreshMs, () => {
    if (!isOver) job.refresh()
  })
  useEffect(() => {
    if (isOver) done()
  }, [isOver])
  return (
    <Loading of={job}>
      {({ kind, state, progress, detail }) => (
        <p>
          {state === 'running' && (
            <progress max={1} value={progress} aria-label={words.jobs.progressOf(words.jobs.kinds[kind] ?? kind)} />
          )}{' '}
          <span class={state === 'done' ? 'badge good' : state === 'failed' ? 'badge bad' : 'badge'}>
            {words.jobs.states[state]}
          </span>{' '}
          <bdi>{detail}</bdi>
        </p>
      )}
    </Loading>
  )
}

type Props = { readonly id: string; readonly started: ComponentChildren; readonly done: () => void }

/** Says that a job runs until it ends. Shows progress to users who can read jobs. */
export const FollowedJob = ({ id, started, done }: Props) => {
  const [ended, setEnded] = useState<string>()
  const end = () => {
    setEnded(id)
    done()
  }
  return (
    <div class="box" role="status">
      <p>
        {ended !== id && started} {mayDo('admin.jobs.read') && <a href={linkTo(['jobs'])}>{words.pages.jobs}</a>}
      </p>
      {mayDo('admin.jobs.read') ? <Follow id={id} done={end} /> : <p class="quiet">{words.needsPermission('admin.jobs.read')}</p>}
    </div>
  )
}
