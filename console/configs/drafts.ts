import { effect, signal } from '@preact/signals'
import { session } from '../state/session.ts'
import { tabStorage } from '../state/tab-storage.ts'

/** An unsaved text, and the version it is based on. */
export type Draft = { readonly text: string; readonly base: string; readonly etag?: string }

const prefix = 'gatehouse.draft.'

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'base' in value &&
  typeof value.base === 'string'

const readDraft = (kept: string | undefined): Draft | undefined => {
  try {
    const value: unknown = JSON.parse(kept ?? 'null')
    return isDraft(value) ? value : undefined
  } catch {
    return undefined
  }
}

const listKept = (): readonly (readonly [string, Draft])[] =>
  tabStorage
    .listKeys()
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => {
      const draft = readDraft(tabStorage.find(key))
      return draft === undefined ? [] : [[key.slice(prefix.length), draft] as const]
    })

/** Drafts by file name. They survive a reload of the tab, and are removed on sign-out. */
export const drafts = signal<Readonly<Record<string, Draft>>>(Object.fromEntries(listKept()))

/** Stores a draft; undefined removes it. */
export const keepDraft = (name: string, draft: Draft | undefined): void => {
  const { [name]: _, ...others } = drafts.peek()
  drafts.value = draft === undefined ? others : { ...others, [name]: draft }
  // If the storage is full, the draft stays in memory.
  if (draft === undefined) tabStorage.remove(prefix + name)
  else tabStorage.keep(prefix + name, JSON.stringify(draft))
}

// The next account in this tab must not see the drafts.
effect(() => {
  if (session.value.kind === 'out') for (const name of Object.keys(drafts.peek())) keepDraft(name, undefined)
})
