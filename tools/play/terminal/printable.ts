/** Control characters but the line feed, and marks that turn the direction of what follows: either could rewrite a terminal. */
const unprintable = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/gu

/** Text of others as a terminal may show it; lines stay lines. */
export const toPrintable = (text: string): string => text.replace(unprintable, '\u{fffd}')

/** The same on one line. */
export const toPrintableLine = (text: string): string => toPrintable(text).replaceAll('\n', '\u{fffd}')
