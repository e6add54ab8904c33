const escapeCharacter = String.fromCharCode(27)
const sequence = new RegExp(`${escapeCharacter}\\[[0-9;]*m`, 'g')

/** A text of a terminal as it would be without colours. */
export const withoutColours = (text: string): string => text.replaceAll(sequence, '')
