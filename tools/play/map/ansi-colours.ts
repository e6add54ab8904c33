import type { Colours } from '../terminal/terminal-look.ts'

/** Red, green and blue of 0xRRGGBB. */
const channelsOf = (colour: number): readonly [number, number, number] => [
  (colour >> 16) & 255,
  (colour >> 8) & 255,
  colour & 255,
]

/** A colour, darker (below 1) or brighter. */
export const shade = (colour: number, factor: number): number => {
  const [red, green, blue] = channelsOf(colour).map((channel) => Math.min(255, Math.round(channel * factor)))
  return ((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0)
}

/** Black or white, whichever is read better on that colour (relative luminance of ITU-R BT.709). */
export const contrastTo = (colour: number): number => {
  const [red, green, blue] = channelsOf(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 120 ? 0x000000 : 0xffffff
}

/** The nearest of the 6×6×6 cube of xterm's 256 colours. */
const cubeIndex = (colour: number): number => {
  const [red, green, blue] = channelsOf(colour).map((channel) =>
    channel < 48 ? 0 : Math.min(5, Math.max(1, Math.round((channel - 55) / 40))),
  )
  return 16 + 36 * (red ?? 0) + 6 * (green ?? 0) + (blue ?? 0)
}

const select = (ground: 38 | 48, colour: number, colours: Colours): string =>
  colours === 'true' ? `\u001b[${ground};2;${channelsOf(colour).join(';')}m` : `\u001b[${ground};5;${cubeIndex(colour)}m`

/** What makes a terminal write on that colour from here on (ECMA-48 SGR). */
export const background = (colour: number, colours: Colours): string => select(48, colour, colours)

/** What makes a terminal write in that colour from here on. */
export const foreground = (colour: number, colours: Colours): string => select(38, colour, colours)

export const bold = '\u001b[1m'
export const resetColours = '\u001b[0m'
