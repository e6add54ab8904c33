import { useState } from 'preact/hooks'
import type { Answer } from '../../../sdk/admin.ts'
import { FollowedJob } from '../../jobs/followed-job.tsx'
import { Field } from '../../parts/field.tsx'
import { ProblemBox } from '../../parts/problem-box.tsx'
import { call } from '../../state/api.ts'
import { words } from '../words.ts'
import { type Author, authorName } from './author.ts'
import type { Box } from './box-fields.tsx'

type Props = { readonly world: string; readonly box: Box; readonly author: Author | undefined; readonly done: () => void }
type Counted = Extract<Answer<'POST /api/admin/worlds/{world}/rollback'>, { status: 200 }>['body']

const minuteMs = 60_000
const spans = {
  tenMinutes: 10 * minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
  week: 7 * 24 * 60 * minuteMs,
  month: 30 * 24 * 60 * minuteMs,
} as const
type Span = keyof typeof spans

const isSpan = (text: string): text is Span => text in spans

/** Previews a rollback, starts it, and follows its job. */
export const RollbackForm = ({ world, box, author, done }: Props) => {
  const [span, setSpan] = useState<Span>('hour')
  const [preview, setPreview] = useState<{ readonly counted: Counted; readonly since: string; readonly until: string }>()
  const [job, setJob] = useState<string>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    await act().catch(setError)
    setBusy(false)
  }
  const request = (times: { readonly since: string; readonly until: string }, dryRun: boolean) =>
    call('POST /api/admin/worlds/{world}/rollback', {
      params: { world },
      body: { box, ...times, ...author, ...(dryRun && { dryRun }) },
    })
  const count = () =>
    attempt(async () => {
      const now = Date.now()
      const times = { since: new Date(now - spans[span]).toISOString(), until: new Date(now).toISOString() }
      const answer = await request(times, true)
      if (answer.status === 200) setPreview({ counted: answer.body, ...times })
    })
  const run = () =>
    attempt(async () => {
      if (preview === undefined) return
      // Rolls back exactly the previewed changes; later ones stay.
      const answer = await request({ since: preview.since, until: preview.until }, false)
      if (answer.status === 202) setJob(answer.body.id)
    })
  if (job !== undefined) return <FollowedJob id={job} started={words.map.rollback.started} done={done} />
  return (
    <details class="box">
      <summary>{words.map.rollback.open}</summary>
      <p class="quiet">{words.map.rollback.lead}</p>
      {author !== undefined && (
        <p>
          {words.map.history.onlyBy}{' '}
          <bdi>
            <strong>{authorName(author)}</strong>
          </bdi>
        </p>
      )}
      <Field label={words.map.rollback.since}>
        <select
          value={span}
          onChange={({ currentTarget }) => {
            if (isSpan(currentTarget.value)) setSpan(currentTarget.value)
            setPreview(undefined)
          }}
        >
          {Object.keys(spans)
            .filter(isSpan)
            .map((one) => (
              <option key={one} value={one}>
                {words.map.rollback.spans[one]}
              </option>
            ))}
        </select>
      </Field>
      <button type="button" disabled={isBusy} onClick={() => void count()}>
        {words.map.rollback.preview}
      </button>
      {preview !== undefined && (
        <div role="status">
          {preview.counted.blocks === 0 ? (
            <p>{words.map.rollback.nothing}</p>
          ) : (
            <>
              <p>{words.map.rollback.found(preview.counted.blocks, preview.counted.columns)}</p>
              <button type="button" class="bad" disabled={isBusy} onClick={() => void run()}>
                {words.map.rollback.act(preview.counted.blocks)}
              </button>
            </>
          )}
          {preview.counted.skipped > 0 && <p class="quiet">{words.map.rollback.skipped(preview.counted.skipped)}</p>}
        </div>
      )}
      <ProblemBox error={error} />
    </details>
  )
}
