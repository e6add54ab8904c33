import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const theme = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--card)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    fontSize: '0.9rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.5', minHeight: '20rem', maxHeight: '70vh' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--ground)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent)',
  },
  '.cm-tooltip, .cm-panels': { color: 'var(--text)', backgroundColor: 'var(--card)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { color: 'var(--on-accent)', backgroundColor: 'var(--accent)' },
  '.cm-tooltip .explained': { maxWidth: '28rem', padding: '0.3rem 0.6rem' },
  '.explained p': { margin: '0.2rem 0' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-button, .cm-textfield': { color: 'var(--text)', backgroundColor: 'var(--card)', backgroundImage: 'none' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--good-ground)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-ground)' },
  '.cm-collapsedLines': { color: 'var(--quiet)', background: 'var(--ground)' },
  '& .cm-changedText, & .cm-deletedText': { background: 'color-mix(in srgb, currentcolor 18%, transparent)' },
})

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.comment, tags.meta], color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.keyword], color: 'var(--warn)' },
])

/** Uses the colours of the page, which its shadow root inherits. */
export const editorLook = [theme, syntaxHighlighting(colours)]
