import { autocompletion, startCompletion } from '@codemirror/autocomplete'
import { StateEffect } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Schema } from '../schema.ts'
import { completeConfig } from './complete-config.ts'

/** Completes keys and values in an editor. Opens the list at once if the user has already typed. */
export const addCompletion = (view: EditorView, schema: Schema, hasTyped: boolean): void => {
  const completion = autocompletion({ override: [completeConfig(schema)], icons: false })
  view.dispatch({ effects: StateEffect.appendConfig.of(completion) })
  if (hasTyped) startCompletion(view)
}
