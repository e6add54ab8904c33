import type { PlayStreams } from '../play-streams.ts'

/** How many colours a terminal shows: 2^24, the 256 of xterm, or none that can be relied on. */
export type Colours = 'true' | '256' | 'none'

/** What the output can show. */
export type TerminalLook = {
  readonly colours: Colours
  /** Characters of a line at this moment; undefined where there is no terminal. */
  readonly columns: () => number | undefined
}

const decideColours = ({ output, env }: Pick<PlayStreams, 'output' | 'env'>): Colours => {
  if (output.isTTY !== true || output.getColorDepth === undefined || env.NO_COLOR) return 'none'
  const depth = output.getColorDepth({ ...env })
  if (depth === 24) return 'true'
  return depth === 8 ? '256' : 'none'
}

/** Looks at the output and at what the environment says of it; `NO_COLOR` (no-color.org) is respected. */
export const findTerminalLook = (streams: Pick<PlayStreams, 'output' | 'env'>): TerminalLook => ({
  colours: decideColours(streams),
  columns: () => streams.output.columns,
})
