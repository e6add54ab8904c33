import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { learnIds, nameIds } from '../state/name-ids.ts'
import { words } from '../words.ts'

type Why = Answer<'GET /api/admin/explain'>['body']

/** The first check that fails decides, also when it is that of a module. */
const Headline = ({ of: { allowed, permission, checks, rule, modulesNotAsked } }: { readonly of: Why }) => {
  const decisive = checks.find(({ ok }) => !ok)
  if (decisive?.check === 'module')
    return (
      <p>
        <strong class="bad-text">
          <bdi>{words.why.refusedByModule(nameIds(decisive.detail))}</bdi>
        </strong>
      </p>
    )
  const verdict = modulesNotAsked ? words.why.allowedByRules : words.why.allowed
  return (
    <p>
      <strong class={allowed ? 'good-text' : 'bad-text'}>{allowed ? verdict : words.why.refused}</strong>{' '}
      <code>{permission}</code>
      {rule !== undefined && (
        <>
          {' · '}
          {words.why.rule} <code>{rule.rule}</code>, {words.why.from(rule.source, [...rule.through, rule.group].filter(Boolean))}
        </>
      )}
    </p>
  )
}

/** All checks in the server's order as a chain, and the rule that decides. */
const Explanation = ({ of: why }: { readonly of: Why }) => {
  const details = why.checks.map(({ detail }) => detail).join(' ')
  useLoad((signal) => learnIds(details, signal), [details])
  return (
    <div role="status" class="why">
      <Headline of={why} />
      <ol class="chain">
        {why.checks.map(({ check, ok, detail }) => (
          <li key={`${check} ${detail}`} class={ok ? 'good' : 'bad'}>
            <strong>
              <Icon name={ok ? 'check' : 'cross'} />
              {words.why.checks[check]}: {ok ? words.why.ok : words.why.notOk}
            </strong>
            <bdi>{nameIds(detail)}</bdi>
          </li>
        ))}
      </ol>
    </div>
  )
}

const readPlace = (fields: FormData) => {
  const text = String(fields.get('place') ?? '').trim()
  const [x, y, z] = text.split(/[\s,]+/).map(Number)
  const world = String(fields.get('world') ?? '').trim()
  const type = String(fields.get('type') ?? '').trim()
  return { ...(text !== '' && { x, y, z }), ...(world !== '' && { world }), ...(type !== '' && { type }) } as {
    readonly x?: number
    readonly y?: number
    readonly z?: number
    readonly world?: string
    readonly type?: string
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
      <form ref={form} onSubmit={submit} class="why-line">
        <Field label={words.why.what}>
          <input
            ref={what}
            name="what"
            required
            maxLength={128}
            autocomplete="off"
            spellcheck={false}
            placeholder={words.why.whatHint}
          />
        </Field>
        <Field label={words.why.world}>
          <input name="world" pattern="[A-Za-z0-9_\-]{1,64}" autocomplete="off" placeholder={words.why.worldHint} />
        </Field>
        <Field label={words.why.place}>
          <input name="place" pattern="\s*-?\d+[\s,]+-?\d+[\s,]+-?\d+\s*" autocomplete="off" placeholder={words.why.placeHint} />
        </Field>
        <Field label={words.why.block}>
          <input name="type" autocomplete="off" spellcheck={false} placeholder={words.why.blockHint} />
        </Field>
        <button type="submit" class="main" disabled={isBusy}>
          {isBusy ? words.working : words.why.ask}
        </button>
        <label class="check">
          <input type="checkbox" name="verified" defaultChecked /> {words.why.verified}
        </label>
      </form>
      <ProblemBox error={error} />
      {answer !== undefined && <Explanation of={answer} />}
    </section>
  )
}
