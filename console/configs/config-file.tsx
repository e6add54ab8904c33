import { useMemo, useState } from 'preact/hooks'
import { Lazy } from '../parts/lazy.tsx'
import { Loading } from '../parts/loading.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { call } from '../state/api.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { go, linkTo, route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { type Draft, drafts, keepDraft } from './drafts.ts'
import { type Fault, useDryRun } from './dry-run.ts'
import { LazyTextDifference, LazyTextEditor } from './editor/lazy-editors.tsx'
import type { Opened } from './form/form-node.tsx'
import { withModuleSettings } from './module-settings.ts'
import { findSchema, isSchema, type Schema } from './schema.ts'
import { pathOfPointer, titlesAlong } from './schema-titles.ts'
import { words } from './words.ts'

type File = { readonly text: string; readonly crlf: boolean; readonly etag: string | undefined }

const lookMs = 10_000
const views = ['form', 'text', 'changes', 'revisions'] as const

const askFile = async (name: string, signal: AbortSignal): Promise<File> => {
  const { body, etag } = await call('GET /api/admin/configs/{name}', { params: { name }, signal })
  return { text: body.replaceAll('\r\n', '\n'), crlf: body.includes('\r\n'), etag }
}

/** Adds the settings of the running modules to the schema of `modules.yaml`. Without a node the schema stays as it is. */
const learnModuleSettings = async (schema: Schema, signal: AbortSignal): Promise<Schema> => {
  if (!mayDo('admin.modules.read')) return schema
  const answer = await call('GET /api/admin/modules/settings', { signal }).catch(() => undefined)
  const found = Object.entries(answer?.body.schemas ?? {}).filter((pair): pair is [string, Schema] => isSchema(pair[1]))
  return withModuleSettings(schema, Object.fromEntries(found))
}

const askSchema = async (name: string, signal: AbortSignal): Promise<Schema> => {
  const filename = `${name.replaceAll('/', '-').replace(/\.yaml$/, '')}.schema.json`
  const { body } = await call('GET /api/admin/schemas/{filename}', { params: { filename }, signal })
  const schema = isSchema(body) ? body : {}
  return name === 'modules.yaml' ? learnModuleSettings(schema, signal) : schema
}

const Views = ({ name, current }: { readonly name: string; readonly current: string }) => (
  <nav class="views segments" aria-label={words.configs.views}>
    {views.map((view) => (
      <a key={view} href={linkTo(['configs', name], { view })} aria-current={view === current ? 'page' : undefined}>
        {words.configs.view[view]}
      </a>
    ))}
  </nav>
)

/** The labels of the field with the fault; undefined if the form has no such field. */
const fieldOf = (schema: Schema, { pointer = '' }: Fault): string | undefined => {
  const path = pathOfPointer(schema, pointer)
  return path.length > 0 && findSchema(schema, path) !== undefined ? titlesAlong(schema, path).join(' › ') : undefined
}

type FaultsProps = {
  readonly name: string
  readonly faults: readonly Fault[]
  /** Undefined when the form is not shown. */
  readonly form: { readonly schema: Schema; readonly open: (pointer: string) => void } | undefined
}

/** The faults of a draft, below it so that nothing moves. Each leads to its field in the form, or to its line in the text. */
const Faults = ({ name, faults, form }: FaultsProps) =>
  faults.length === 0 ? null : (
    <div class="box box-bad faults" role="status">
      <p>{words.configs.faults(faults.length)}</p>
      <ul>
        {faults.map((fault) => {
          const { line, column, pointer, message } = fault
          const field = form && fieldOf(form.schema, fault)
          return (
            <li key={`${pointer}:${line}:${column}:${message}`}>
              {field !== undefined ? (
                <button type="button" class="link" onClick={() => form?.open(pointer ?? '')}>
                  {field}
                </button>
              ) : line === undefined ? (
                <code>{pointer}</code>
              ) : (
                <a href={linkTo(['configs', name], { view: 'text', at: `${line}:${column ?? 1}` })}>
                  {words.lineAndColumn(line, column)}
                </a>
              )}{' '}
              {message}
            </li>
          )
        })}
      </ul>
    </div>
  )

type StaleProps = { readonly name: string; readonly draft: Draft; readonly file: File }

/** Another admin saved the file since this draft began. The user compares both before saving. */
const Stale = ({ name, draft, file: { text, etag } }: StaleProps) => (
  <div class="box box-warn" role="alert">
    <p>{words.configs.stale}</p>
    <p class="actions">
      <button
        type="button"
        onClick={() => keepDraft(name, { text: draft.text, base: text, ...(etag !== undefined && { etag }) })}
      >
        {words.configs.keepMine}
      </button>
      <button type="button" onClick={() => keepDraft(name, undefined)}>
        {words.configs.takeTheirs}
      </button>
    </p>
    <LazyTextDifference text={draft.text} original={text} label={words.configs.difference} />
  </div>
)

type EditorProps = { readonly name: string; readonly file: File; readonly schema: Schema; readonly reloaded: () => Promise<void> }

const Editor = ({ name, file, schema, reloaded }: EditorProps) => {
  const [isReviewing, setReviewing] = useState(false)
  const draft = drafts.value[name]
  const isReadOnly = !mayDo('admin.configs.write')
  const text = draft?.text ?? file.text
  const isStale = draft !== undefined && draft.etag !== file.etag
  const { faults, dry, error } = useDryRun(name, draft === undefined || isReadOnly ? undefined : toStored(text, file))
  const change = (next: string) => {
    const from = draft ?? { base: file.text, ...(file.etag !== undefined && { etag: file.etag }) }
    keepDraft(name, next === from.base && !isStale ? undefined : { ...from, text: next })
  }
  const { query } = route.value
  const view = views.find((one) => one === query.get('view')) ?? 'form'
  const isBeside = query.get('beside') === 'text'
  const linked = query.get('open') ?? undefined
  const [chosen, setChosen] = useState<Opened>()
  const opened = useMemo(() => chosen ?? (linked === undefined ? undefined : { pointer: linked }), [chosen, linked])
  const textEditor = (
    <LazyTextEditor
      text={text}
      label={name}
      schema={schema}
      faults={faults}
      isReadOnly={isReadOnly}
      change={change}
      {...(query.has('at') && { at: query.get('at') ?? '' })}
    />
  )
  return (
    <>
      <div class="page-head settings-head">
        <Views name={name} current={view} />
        <span class="actions">
          {draft !== undefined && <span class="badge warn">{words.configs.unsaved}</span>}
          {draft !== undefined && (
            <button type="button" onClick={() => keepDraft(name, undefined)}>
              {words.configs.discard}
            </button>
          )}
          {!isReadOnly && (
            <button
              type="button"
              class="main"
              disabled={draft === undefined || isStale || faults.length > 0}
              onClick={() => setReviewing(true)}
            >
              {words.save}
            </button>
          )}
        </span>
      </div>
      {isReadOnly && <p class="box">{words.needsPermission('admin.configs.write')}</p>}
      {isStale && <Stale name={name} draft={draft} file={file} />}
      <ProblemBox error={error} />
      {view === 'text' && textEditor}
      {view === 'form' && (
        <>
          <label class="check beside-check">
            <input
              type="checkbox"
              checked={isBeside}
              onChange={({ currentTarget }) =>
                go(linkTo(['configs', name], { view, beside: currentTarget.checked ? 'text' : undefined }), true)
              }
            />
            {words.configs.showText}
          </label>
          <div class={isBeside ? 'beside' : undefined}>
            <Lazy
              name="form"
              of={async () => (await import('./form/form-view.tsx')).FormView}
              props={{ text, schema, faults, isReadOnly, change, opened }}
            />
            {isBeside && textEditor}
          </div>
        </>
      )}
      {view === 'changes' && (
        <Lazy
          name="changes"
          of={async () => (await import('./changes-view.tsx')).ChangesView}
          props={{ saved: file.text, text, dry, schema }}
        />
      )}
      {view === 'revisions' && (
        <Lazy
          key={String(file.etag)}
          name="revisions"
          of={async () => (await import('./revisions.tsx')).Revisions}
          props={{ name, schema, saved: file.text, text, take: isReadOnly ? undefined : change }}
        />
      )}
      <Faults
        name={name}
        faults={faults}
        form={view === 'form' ? { schema, open: (pointer) => setChosen({ pointer }) } : undefined}
      />
      {isReviewing && (
        <Lazy
          name="review"
          of={async () => (await import('./review-change.tsx')).ReviewChange}
          props={{
            file: name,
            text: toStored(text, file),
            schema,
            before: file.text,
            etag: draft?.etag,
            back: () => {
              setReviewing(false)
              void reloaded()
            },
            reloaded,
            done: () => {
              setReviewing(false)
              keepDraft(name, undefined)
            },
          }}
        />
      )}
    </>
  )
}

/** With the line endings of the file. */
const toStored = (text: string, { crlf }: File): string => (crlf ? text.replaceAll('\n', '\r\n') : text)

/** One config file, as text or as a form. Unsaved changes are stored as a draft. */
export const ConfigFile = ({ name }: { readonly name: string }) => {
  const schema = useLoad((signal) => askSchema(name, signal), [name])
  const file = useLoad((signal) => askFile(name, signal), [name])
  useEvery(lookMs, file.refresh)
  return (
    <Loading of={schema}>
      {(of) => <Loading of={file}>{(read) => <Editor name={name} file={read} schema={of} reloaded={file.reloaded} />}</Loading>}
    </Loading>
  )
}
