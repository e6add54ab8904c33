import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { words } from '../words.ts'

type Toast = { readonly id: number; readonly content: ComponentChildren }

const shownMs = 8000
const shown = signal<readonly Toast[]>([])
let lastId = 0

const drop = (id: number): void => {
  shown.value = shown.value.filter((toast) => toast.id !== id)
}

/** Shows a message for some seconds. */
export const tell = (content: ComponentChildren): void => {
  lastId += 1
  const id = lastId
  shown.value = [...shown.value.slice(-3), { id, content }]
  setTimeout(() => drop(id), shownMs)
}

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {shown.value.map(({ id, content }) => (
      <div key={id} class="toast">
        <span>{content}</span>
        <button type="button" class="plain" onClick={() => drop(id)} aria-label={words.close}>
          ✕
        </button>
      </div>
    ))}
  </div>
)
