import { useState } from 'preact/hooks'
import { readValues, writeValue } from '../configs/config-document.ts'
import { describeDefault, findSchema, isSchema, type Schema } from '../configs/schema.ts'
import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

type File = { readonly text: string; readonly etag: string | undefined; readonly schema: Schema }

const name = 'server.yaml'
const keys = ['last', 'daily', 'weekly'] as const

const askFile = async (signal: AbortSignal): Promise<File> => {
  const [file, schema] = await Promise.all([
    call('GET /api/admin/configs/{name}', { params: { name }, signal }),
    call('GET /api/admin/schemas/{filename}', { params: { filename: 'server.schema.json' }, signal }),
  ])
  return { text: file.body, etag: file.etag, schema: isSchema(schema.body) ? schema.body : {} }
}

const valueAt = (values: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isSchema(at) ? at[key] : undefined), values)

const shownValue = (value: unknown): string => (typeof value === 'number' || typeof value === 'string' ? String(value) : '')

/** The text with the values of the form. An empty number removes its key. */
const withFields = (text: string, fields: FormData): string => {
  const every = String(fields.get('every'))
  const scheduled = writeValue(text, ['backups', 'every'], every === '' ? undefined : every)
  return keys.reduce((next, key) => {
    const typed = String(fields.get(key)).trim()
    const path = ['backups', 'keep', key]
    const current = shownValue(valueAt(readValues(next)?.values, ...path))
    return typed === current ? next : writeValue(next, path, typed === '' ? undefined : Number(typed))
  }, scheduled)
}

const ScheduleForm = ({ file: { text, etag, schema }, reload }: { readonly file: File; readonly reload: () => void }) => {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const read = readValues(text)
  const mayWrite = mayDo('admin.configs.write') && mayDo('admin.backups.write') && read !== undefined
  const every = shownValue(valueAt(read?.values, 'backups', 'every'))
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy || !(event.currentTarget instanceof HTMLFormElement)) return
    setBusy(true)
    setError(undefined)
    try {
      const body = withFields(text, new FormData(event.currentTarget))
      await call('PUT /api/admin/configs/{name}', {
        params: { name },
        query: {},
        body,
        ...(etag !== undefined && { ifMatch: etag }),
      })
      if (mayDo('admin.server.reload')) await call('POST /api/admin/reload')
      tell(words.backups.saved)
      reload()
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  const fallback = (key: string): string => describeDefault(findSchema(schema, ['backups', 'keep', key]) ?? {})
  return (
    <form onSubmit={(event) => void submit(event)}>
      <fieldset class="bare" disabled={!mayWrite}>
        <Field label={words.backups.every}>
          <select name="every">
            <option value="">{words.backups.never}</option>
            {[...new Set([...Object.keys(words.backups.intervals), ...(every === '' ? [] : [every])])].map((interval) => (
              <option key={interval} value={interval} selected={interval === every}>
                {words.backups.intervals[interval] ?? words.backups.otherInterval(interval)}
              </option>
            ))}
          </select>
        </Field>
        <p class="quiet">{words.backups.keepLead}</p>
        <div class="times">
          {keys.map((key) => (
            <Field key={key} label={words.backups.keep[key]}>
              <input
                name={key}
                type="number"
                min={key === 'last' ? 1 : 0}
                max={1000}
                placeholder={fallback(key)}
                defaultValue={shownValue(valueAt(read?.values, 'backups', 'keep', key))}
              />
            </Field>
          ))}
        </div>
        <ProblemBox error={error} />
        <p class="actions">
          {mayWrite && (
            <button type="submit" disabled={isBusy}>
              {isBusy ? words.working : words.backups.saveSchedule}
            </button>
          )}
          <small>
            {words.backups.file} <a href={linkTo(['configs', name])}>{words.backups.openFile}</a>
          </small>
        </p>
      </fieldset>
    </form>
  )
}

/** Schedule and retention of backups, as a form over server.yaml that keeps its comments. */
export const ScheduleCard = () => {
  const file = useLoad(askFile, [])
  return (
    <section class="card" aria-label={words.backups.schedule}>
      <h2>{words.backups.schedule}</h2>
      <Loading of={file}>{(of) => <ScheduleForm key={of.etag} file={of} reload={file.reload} />}</Loading>
    </section>
  )
}
