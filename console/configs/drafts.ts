import { effect, signal } from '@preact/signals'
import { session } from '../state/session.ts'
import { tabStorage } from '../state/tab-storage.ts'

/** What somebody typed and did not save: the text, and the version that it was made of. */
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

/** By the name of the file. They outlive a reload of the tab, and end with it or with the sign-out. */
export const drafts = signal<Readonly<Record<string, Draft>>>(Object.fromEntries(listKept()))

/** Keeps what was typed; undefined forgets it. */
export const keepDraft = (name: string, draft: Draft | undefined): void => {
  const { [name]: _, ...others } = drafts.peek()
  drafts.value = draft === undefined ? others : { ...others, [name]: draft }
  // Beyond the room of the storage it stays in memory.
  if (draft === undefined) tabStorage.remove(prefix + name)
  else tabStorage.keep(prefix + name, JSON.stringify(draft))
}

// What was typed is nobody else's who signs in here next.
effect(() => {
  if (session.value.kind === 'out') for (const name of Object.keys(drafts.peek())) keepDraft(name, undefined)
})
