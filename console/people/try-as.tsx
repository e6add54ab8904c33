import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { Field } from '../parts/field.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { call } from '../state/api.ts'
import { words } from '../words.ts'

type Why = Answer<'GET /api/admin/explain'>['body']

/** All checks in the server's order, and the rule that decides. */
const Explanation = ({ of: { allowed, permission, checks, rule } }: { readonly of: Why }) => (
  <div role="status">
    <p>
      <strong class={allowed ? 'good-text' : 'bad-text'}>{allowed ? words.why.allowed : words.why.refused}</strong>{' '}
      <code>{permission}</code>
    </p>
    <ul class="plain-list">
      {checks.map(({ check, ok, detail }) => (
        <li key={check}>
          <span class={ok ? 'badge good' : 'badge bad'}>
            {words.why.checks[check]}: {ok ? words.why.ok : words.why.notOk}
          </span>{' '}
          <bdi>{detail}</bdi>
        </li>
      ))}
    </ul>
    {rule !== undefined && (
      <p>
        {words.why.rule} <code>{rule.rule}</code>, {words.why.from(rule.source, [...rule.through, rule.group].filter(Boolean))}
      </p>
    )}
  </div>
)

const readPlace = (fields: FormData) => {
  const text = String(fields.get('place') ?? '').trim()
  const [x, y, z] = text.split(/[\s,]+/).map(Number)
  const world = String(fields.get('world') ?? '').trim()
  return { ...(text !== '' && { x, y, z }), ...(world !== '' && { world }) } as {
    readonly x?: number
    readonly y?: number
    readonly z?: number
    readonly world?: string
  }
}

/** A chosen permission. Choosing the same one again makes a new object. */
export type Asked = { readonly permission: string }

/**
 * Checks whether the account can do something, and why. Changes nothing. A new `asked` is checked at once with the form's other values.
 */
export const TryAs = ({ email, asked }: { readonly email: string; readonly asked?: Asked }) => {
  const [answer, setAnswer] = useState<Why>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const what = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (asked === undefined || what.current === null) return
    what.current.value = asked.permission
    form.current?.requestSubmit()
  }, [asked])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const fields = new FormData(event.currentTarget)
    const name = String(fields.get('what')).trim()
    const named = name.startsWith('/') ? { command: name.slice(1) } : { permission: name }
    setBusy(true)
    setError(undefined)
    try {
      const query = { email, ...named, ...readPlace(fields), verified: fields.get('verified') !== null }
      setAnswer((await call('GET /api/admin/explain', { query })).body)
    } catch (problem) {
      setAnswer(undefined)
      setError(problem)
    }
    setBusy(false)
  }
  return (
    <section class="card wide-card" aria-labelledby="try-as">
      <h2 id="try-as">{words.why.title}</h2>
      <p class="quiet">{words.why.lead}</p>
      <form ref={form} onSubmit={submit} class="filters">
        <Field label={words.why.what} hint={words.why.whatHint}>
          <input ref={what} name="what" required maxLength={128} autocomplete="off" spellcheck={false} />
        </Field>
        <Field label={words.why.world} hint={words.why.worldHint}>
          <input name="world" pattern="[A-Za-z0-9_\-]{1,64}" autocomplete="off" />
        </Field>
        <Field label={words.why.place} hint={words.why.placeHint}>
          <input name="place" pattern="\s*-?\d+[\s,]+-?\d+[\s,]+-?\d+\s*" autocomplete="off" />
        </Field>
        <label class="check">
          <input type="checkbox" name="verified" defaultChecked /> {words.why.verified}
        </label>
        <button type="submit" disabled={isBusy}>
          {isBusy ? words.working : words.why.ask}
        </button>
      </form>
      <ProblemBox error={error} />
      {answer !== undefined && <Explanation of={answer} />}
    </section>
  )
}
