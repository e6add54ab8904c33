import { wordsOfConfigs } from '../words/of-configs.ts'
import { words as wordsOfFrame } from '../words/of-frame.ts'
import { wordsOfGroups } from '../words/of-groups.ts'

/** The texts of the settings, and of a review of their changes. */
export const words = { ...wordsOfFrame, ...wordsOfConfigs, ...wordsOfGroups } as const
