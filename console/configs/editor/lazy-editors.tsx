import type { ComponentProps } from 'preact'
import { Lazy } from '../../parts/lazy.tsx'
import type { TextDifference } from './text-difference.tsx'
import type { TextEditor } from './text-editor.tsx'

/** Loads the editor when a text is first shown: the form does not need it. */
export const LazyTextEditor = (props: ComponentProps<typeof TextEditor>) => (
  <Lazy name="editor" of={async () => (await import('./text-editor.tsx')).TextEditor} props={props} />
)

/** Loads the comparison when it is first shown. It has no parts for writing. */
export const LazyTextDifference = (props: ComponentProps<typeof TextDifference>) => (
  <Lazy name="difference" of={async () => (await import('./text-difference.tsx')).TextDifference} props={props} />
)
