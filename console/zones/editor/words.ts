import { wordsOfEditor } from '../../words/of-editor.ts'
import { words as wordsOfFrame } from '../../words/of-frame.ts'
import { wordsOfZone } from '../../words/of-zone.ts'

/** The texts of the zone editor. */
export const words = { ...wordsOfFrame, ...wordsOfEditor, ...wordsOfZone } as const
