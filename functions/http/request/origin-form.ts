import type { RequestListener } from 'node:http'

/** The target of an invalid address: it matches no route. */
const nowhere = '*'

/** Path and query of a request target in absolute form (RFC 9112, section 3.2.2), as a proxy sends it. */
const toOriginForm = (target: string): string => {
  if (!URL.canParse(target)) return nowhere
  const { pathname, search } = new URL(target)
  return pathname.startsWith('/') ? pathname + search : nowhere
}

/** `app`, with every request target in the one form that its router can read. */
export const acceptAnyForm =
  (app: RequestListener): RequestListener =>
  (req, res) => {
    if (req.url?.startsWith('/') !== true) req.url = toOriginForm(req.url ?? '')
    app(req, res)
  }
