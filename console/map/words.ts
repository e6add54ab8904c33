import { words as wordsOfFrame } from '../words/of-frame.ts'
import { wordsOfMap } from '../words/of-map.ts'
import { wordsOfPregen } from '../words/of-pregen.ts'

/** The texts of the map. */
export const words = { ...wordsOfFrame, ...wordsOfMap, ...wordsOfPregen } as const
