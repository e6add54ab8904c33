/** Whether a check was asked for: its feature or name, as one line, holds `pattern`, upper and lower case aside; `*` is any text. */
export const createWanted = (pattern: string | undefined): ((feature: string, check: string) => boolean) => {
  if (pattern === undefined) return () => true
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^$()|[\]\\{}]/g, '\\$&'))
  const form = new RegExp(parts.join('.*'), 'i')
  return (feature, check) => form.test(`${feature}: ${check}`)
}
