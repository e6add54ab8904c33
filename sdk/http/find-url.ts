/** A whole address, and undefined for a text that is none; `URL.canParse` is younger than many phones. */
export const findUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
