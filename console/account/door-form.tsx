import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ProblemError } from '../../sdk/auth.ts'
import { type FieldFault, FieldFaults, faultIdOf } from '../parts/field.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { words } from '../words/of-frame.ts'

const labelOf = (field: HTMLInputElement): string => field.labels?.[0]?.firstChild?.textContent ?? field.name

/** The error of the first invalid field, as a text of the page instead of a browser bubble. */
const findFault = (form: HTMLFormElement): FieldFault | undefined => {
  const field = form.querySelector<HTMLInputElement>('input:invalid')
  if (field === null) return undefined
  const { valueMissing, tooShort } = field.validity
  const text = valueMissing
    ? words.fault.missing(labelOf(field))
    : tooShort
      ? words.fault.short(labelOf(field), field.minLength)
      : words.fault.email
  return { name: field.name, text }
}

const inputOf = (form: HTMLFormElement | null, name: string): HTMLInputElement | undefined => {
  const found = form?.elements.namedItem(name)
  return found instanceof HTMLInputElement ? found : undefined
}

/** The field that the server refuses, if the form has it. */
const findRefused = (form: HTMLFormElement | null, error: unknown): FieldFault | undefined => {
  if (!(error instanceof ProblemError)) return undefined
  const { type, detail, title, errors = [] } = error.problem
  const [first, ...more] = errors
  const name = type === 'common-password' ? 'password' : more.length === 0 ? first?.pointer?.slice(1) : undefined
  if (name === undefined || inputOf(form, name) === undefined) return undefined
  return { name, text: type === 'common-password' ? (detail ?? title) : (first?.message ?? title) }
}

/** Links a fault to its input for screen readers, and puts the cursor there. */
const useLinkedFault = (form: { readonly current: HTMLFormElement | null }, fault: FieldFault | undefined): void =>
  useEffect(() => {
    const field = fault && inputOf(form.current, fault.name)
    if (field === undefined) return undefined
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', faultIdOf(field.name))
    field.focus()
    return () => {
      field.removeAttribute('aria-invalid')
      field.removeAttribute('aria-describedby')
    }
  }, [fault])

/** A form of a visitor who is not signed in. It focuses the first empty field, and shows errors, at their field if they have one. */
export const DoorForm = ({
  action,
  submit,
  problem,
  children,
}: {
  readonly action: string
  readonly submit: (fields: FormData) => Promise<void>
  /** Shown after a `submit` that does not throw. */
  readonly problem?: unknown
  readonly children: ComponentChildren
}) => {
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<unknown>()
  const [fault, setFault] = useState<FieldFault>()
  const [isBusy, setBusy] = useState(false)
  useLinkedFault(form, fault)
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll('input') ?? [])]
    const first = fields.find(({ value }) => value === '')
    if (first === undefined) return
    // A dialog around the form opens later, and looks for this.
    first.autofocus = true
    first.focus()
  }, [])
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy || !(event.currentTarget instanceof HTMLFormElement)) return
    const invalid = findFault(event.currentTarget)
    setError(undefined)
    setFault(invalid)
    if (invalid !== undefined) return
    setBusy(true)
    await submit(new FormData(event.currentTarget)).catch((reason: unknown) => {
      const refused = findRefused(form.current, reason)
      setFault(refused)
      if (refused === undefined) setError(reason)
    })
    setBusy(false)
  }
  const clear = () => {
    setError(undefined)
    setFault(undefined)
  }
  return (
    <form ref={form} noValidate onSubmit={onSubmit} onInput={clear}>
      <FieldFaults.Provider value={fault}>{children}</FieldFaults.Provider>
      <ProblemBox error={error ?? problem} />
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.working : action}
      </button>
    </form>
  )
}
