/** An absolute address; undefined if the text is not one. Many phones do not have `URL.canParse`. */
export const findUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
