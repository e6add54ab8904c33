import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { words } from '../words/of-frame.ts'
import { Icon } from './icon.tsx'
import { ProblemBox } from './problem-box.tsx'

type DialogProps = {
  readonly title: ComponentChildren
  /** Called on Escape and ✕. Without it there is no ✕, and only the form closes the dialog. */
  readonly close?: () => void
  readonly children: ComponentChildren
  readonly wide?: boolean
  /** A further class of the dialog. */
  readonly look?: string
}

const fieldSelector = ['input:not([type=hidden])', 'select', 'textarea'].map((name) => `${name}:not(:disabled)`).join(', ')

/** Focuses the first field when it is loaded, unless the user moved the focus. Returns a function that stops waiting. */
const focusFirstField = (dialog: HTMLDialogElement): (() => void) => {
  const atFirst = document.activeElement
  const focus = (): boolean => {
    const field = dialog.querySelector<HTMLElement>('[autofocus]') ?? dialog.querySelector<HTMLElement>(fieldSelector)
    field?.focus()
    return field !== null
  }
  if (focus()) return () => undefined
  const observer = new MutationObserver(() => {
    if (document.activeElement !== atFirst || focus()) observer.disconnect()
  })
  observer.observe(dialog, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** A native modal: it holds the focus, closes on Escape, and returns the focus to its opener. */
export const Dialog = ({ title, close, children, wide = false, look = '' }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const opener = document.activeElement
    element.current?.showModal()
    const stop = element.current === null ? () => undefined : focusFirstField(element.current)
    return () => {
      stop()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={`dialog ${wide ? 'wide' : ''} ${look}`}
      aria-labelledby={titleId}
      onCancel={(event) => close === undefined && event.preventDefault()}
      // A second Escape closes a dialog even if the first was prevented.
      onClose={close ?? (() => element.current?.showModal())}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        {close !== undefined && (
          <button type="button" class="plain" onClick={close} aria-label={words.close}>
            <Icon name="cross" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  )
}

type FormDialogProps = Omit<DialogProps, 'children' | 'close'> & {
  readonly close: () => void
  readonly action: string
  readonly isBad?: boolean
  /** False while the action is not possible. */
  readonly isReady?: boolean
  /** Called after success; default: `close`. */
  readonly done?: () => void
  /** Resolves after success. Its error is shown, and the input stays. */
  readonly submit: (fields: FormData) => Promise<void>
  readonly children?: ComponentChildren
}

/** A dialog with a form that runs an action. */
export const FormDialog = ({
  title,
  action,
  isBad = false,
  isReady = true,
  close,
  done = close,
  submit,
  children,
  wide = false,
}: FormDialogProps) => {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy || !isReady || !(event.currentTarget instanceof HTMLFormElement)) return
    setBusy(true)
    setError(undefined)
    try {
      await submit(new FormData(event.currentTarget))
      done()
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} close={close} wide={wide}>
      {/* A correction removes the error. */}
      <form onSubmit={onSubmit} onInput={() => setError(undefined)}>
        {children}
        <ProblemBox error={error} />
        <footer>
          <button type="button" onClick={close}>
            {words.cancel}
          </button>
          <button type="submit" class={isBad ? 'bad' : 'main'} disabled={isBusy || !isReady}>
            {isBusy ? words.working : action}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
