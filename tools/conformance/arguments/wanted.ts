/**
 * Whether a check is selected: its feature and name, as one line, contain `pattern`, without regard to case. `*` matches any
 * text.
 */
export const createWanted = (pattern: string | undefined): ((feature: string, check: string) => boolean) => {
  if (pattern === undefined) return () => true
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^$()|[\]\\{}]/g, '\\$&'))
  const form = new RegExp(parts.join('.*'), 'i')
  return (feature, check) => form.test(`${feature}: ${check}`)
}
