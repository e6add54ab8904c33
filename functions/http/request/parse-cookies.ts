/**
 * The cookies of a `Cookie` header (RFC 6265, section 5.4), oldest first as browsers send them. Of two with one name the first
 * counts.
 */
export const parseCookies = (header: string | undefined): ReadonlyMap<string, string> => {
  const cookies = new Map<string, string>()
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim())
  }
  return cookies
}
