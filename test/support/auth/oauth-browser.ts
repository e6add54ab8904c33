/** A browser that only follows redirects. It keeps cookies by origin, and stops at the first address that `isEnd` accepts. */
export const createBrowser = () => {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const keep = (url: string, cookies: readonly string[]) => {
    for (const cookie of cookies) {
      const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim())
      const at = pair.indexOf('=')
      const isOver = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=thu, 01 jan 1970/i.test(one))
      if (isOver) jarOf(url).delete(pair.slice(0, at))
      else jarOf(url).set(pair.slice(0, at), pair.slice(at + 1))
    }
  }
  const cookiesFor = (url: string): string => [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    keep,
    cookiesFor,
    /** Follows redirects from `url` until `isEnd` accepts an address, and returns it. */
    follow: async (start: string, isEnd: (url: string) => boolean): Promise<string> => {
      let url = start
      for (let hop = 0; hop < 20; hop += 1) {
        if (isEnd(url)) return url
        const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookiesFor(url) } })
        keep(url, response.headers.getSetCookie())
        const location = response.headers.get('location')
        if (location === null) throw new Error(`${response.status} at ${new URL(url).pathname}: ${await response.text()}`)
        await response.body?.cancel()
        url = new URL(location, url).href
      }
      throw new Error('too many redirects')
    },
  }
}

export type Browser = ReturnType<typeof createBrowser>
