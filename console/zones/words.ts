import { wordsOfEditor } from '../words/of-editor.ts'
import { wordsOfMap } from '../words/of-map.ts'
import { wordsOfZone } from '../words/of-zone.ts'
import { words as others } from '../words.ts'

/** The texts of the page of a zone. */
export const words = { ...others, ...wordsOfEditor, ...wordsOfMap, ...wordsOfZone } as const
