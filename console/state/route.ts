import { computed, signal } from '@preact/signals'

/** A parsed address fragment, such as `#/people/ann%40example.com?tab=why`. */
export type Route = { readonly parts: readonly string[]; readonly query: URLSearchParams }

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Parses a fragment. Unknown addresses lead to the first page. */
export const readRoute = (hash: string): Route => {
  if (!hash.startsWith('#/')) return { parts: [], query: new URLSearchParams() }
  const [path = '', query = ''] = hash.slice(2).split('?', 2)
  return { parts: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
}

/** The address of a page, for links. */
export const linkTo = (parts: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '')
  const text = new URLSearchParams(given).toString()
  return `#/${parts.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`
}

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

export const route = computed(() => readRoute(hash.value))

/** The first part of the address. It stays the same while a filter of the page changes. */
export const pageName = computed(() => route.value.parts[0] ?? 'home')

/** Opens a page. `replace` adds no history entry, for filters that change while typing. */
export const go = (address: string, replace = false): void => {
  if (!replace) location.hash = address
  else {
    history.replaceState(history.state, '', address)
    hash.value = address
  }
}
