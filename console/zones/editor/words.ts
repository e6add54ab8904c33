import { wordsOfEditor } from '../../words/of-editor.ts'
import { words as wordsOfFrame } from '../../words/of-frame.ts'
import { wordsOfMap } from '../../words/of-map.ts'
import { wordsOfZone } from '../../words/of-zone.ts'

/** The texts of the zone editor. */
export const words = { ...wordsOfFrame, ...wordsOfEditor, ...wordsOfMap, ...wordsOfZone } as const
