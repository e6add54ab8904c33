/** Why a column of a Minecraft world is not imported. */
export type SkipReason = 'damaged' | 'unfinished' | 'too-old' | 'unsupported-compression' | 'outside-the-world'

/** A column that was left out, and why in words. */
export type Skip = { readonly reason: SkipReason; readonly detail: string }

export const skipReasons: readonly SkipReason[] = [
  'damaged',
  'unfinished',
  'too-old',
  'unsupported-compression',
  'outside-the-world',
]
