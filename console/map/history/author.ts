import { nameOf } from '../../state/player-names.ts'

/** Only changes by this player, or by this module. */
export type Author = { readonly by?: string; readonly module?: string }

export const authorName = ({ by, module = '' }: Author): string => (by === undefined ? module : nameOf(by))
