import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { GatehouseError } from '../../sdk/auth.ts'
import { ProblemBox } from '../parts/problem-box.tsx'
import { words } from '../words/of-frame.ts'

const labelOf = (field: HTMLInputElement): string => field.labels?.[0]?.firstChild?.textContent ?? field.name

/** The error of the first invalid field, as a text of the page instead of a browser bubble. */
const findFault = (form: HTMLFormElement): GatehouseError | undefined => {
  const field = form.querySelector<HTMLInputElement>('input:invalid')
  if (field === null) return undefined
  field.focus()
  const { valueMissing, tooShort } = field.validity
  const text = valueMissing
    ? words.fault.missing(labelOf(field))
    : tooShort
      ? words.fault.short(labelOf(field), field.minLength)
      : words.fault.email
  return new GatehouseError('invalid-field', text)
}

/** A form of a visitor who is not signed in. It focuses the first empty field, and shows what `submit` throws. */
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
  const [isBusy, setBusy] = useState(false)
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
    const fault = findFault(event.currentTarget)
    setError(fault)
    if (fault !== undefined) return
    setBusy(true)
    await submit(new FormData(event.currentTarget)).catch(setError)
    setBusy(false)
  }
  return (
    <form ref={form} noValidate onSubmit={onSubmit} onInput={() => setError(undefined)}>
      {children}
      <ProblemBox error={error ?? problem} />
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.working : action}
      </button>
    </form>
  )
}
