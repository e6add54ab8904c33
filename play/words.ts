/** Every word that the game says, in one place, for translation. */
export const words = {
  soon: 'The game is being built here.',
} as const
