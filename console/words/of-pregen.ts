/** Texts of the dialog that generates land, on the map and on the worlds page. */
export const wordsOfPregen = {
  pregen: {
    act: 'Generate land',
    open: 'Generate land…',
    title: (world: string) => `Generate land in ${world}`,
    radius: 'Radius in chunks',
    radiusHint: 'A chunk is 16 by 16 blocks.',
    started: 'Land generation started.',
  },
} as const
