import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, refreshPermissions, reloadAll } from '../state/api.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { Described } from './described.tsx'
import { Icon } from './icon.tsx'
import { describeProblem } from './problem-box.tsx'

type Toast = {
  readonly id: number
  readonly content: ComponentChildren
  readonly isBad?: boolean
  /** The requests whose writes the user can undo, in order. */
  readonly requestIds?: readonly string[]
}

const shownMs = 8000
const shown = signal<Toast | undefined>(undefined)
let lastId = 0

/** Each toast is a new element with a time of its own. */
const show = (toast: Omit<Toast, 'id'>): void => {
  lastId += 1
  shown.value = { ...toast, id: lastId }
}

/** Shows a message for some seconds, in place of the previous one. */
export const tell = (content: ComponentChildren): void => {
  show({ content })
}

/** Like `tell`, with a button that undoes the writes of the answered requests. */
export const tellDone = (content: ComponentChildren, ...answers: readonly { readonly requestId?: string }[]): void => {
  show({ content, requestIds: answers.flatMap(({ requestId }) => requestId ?? []) })
}

const entriesMax = 200

/**
 * Undoes the writes of a request through their entries in the audit log. Restores a name that several accounts had. Deleted accounts come
 * first, because their zones and groups need them.
 */
const undo = async (requestId: string): Promise<void> => {
  const { entries } = (await call('GET /api/admin/audit', { query: { requestId, limit: entriesMax } })).body
  const isDeletion = ({ action }: { readonly action: string }) => action === 'account.delete'
  for (const { id } of [...entries.filter(isDeletion), ...entries.filter((entry) => !isDeletion(entry))])
    await call('POST /api/admin/audit/{id}/undo', { params: { id }, query: { force: true } })
}

const ToastBox = ({ toast }: { readonly toast: Toast }) => {
  const [isHeld, setHeld] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const close = () => {
    if (shown.peek() === toast) shown.value = undefined
  }
  useEffect(() => {
    if (isHeld || isBusy) return undefined
    const timer = setTimeout(close, shownMs)
    return () => clearTimeout(timer)
  }, [toast, isHeld, isBusy])
  const { requestIds = [] } = toast
  const act = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      for (const requestId of requestIds.toReversed()) await undo(requestId)
      await refreshPermissions()
      show({ content: words.shell.undone })
      reloadAll()
    } catch (error) {
      show({ content: describeProblem(error), isBad: true })
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer or the focus on a toast keeps it open.
    <div
      class={toast.isBad ? 'toast bad' : 'toast'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <Icon name={toast.isBad ? 'warning' : 'check'} />
      <span class="toast-text">{typeof toast.content === 'string' ? <Described text={toast.content} /> : toast.content}</span>
      {requestIds.length > 0 && mayDo('admin.audit.read') && (
        <button type="button" disabled={isBusy} onClick={() => void act()}>
          {words.undo.act}
        </button>
      )}
      <button type="button" class="plain" onClick={close} aria-label={words.close}>
        <Icon name="cross" />
      </button>
    </div>
  )
}

/** The current toast, announced to screen readers. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {shown.value !== undefined && <ToastBox key={shown.value.id} toast={shown.value} />}
  </div>
)
