import type { IncomingHttpHeaders } from 'node:http'

/** One request as it was sent. `target` follows the method, without the path of the base address. */
export type Sent = {
  readonly method: string
  readonly target: string
  readonly requestId: string
  readonly origin: string | undefined
  readonly accept: string | undefined
}

/** An answer as received: not decompressed, redirects not followed. */
export type Answer = {
  readonly sent: Sent
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The bytes as UTF-8. */
  readonly text: string
}

/** A header as one text; undefined if it is absent. */
export const headerOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined => {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

/** The media type without its parameters; undefined if there is none. */
export const mediaTypeOf = (answer: Pick<Answer, 'headers'>): string | undefined =>
  headerOf(answer, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()

/** The body as JSON; undefined if it is not JSON. */
export const jsonOf = ({ text }: Pick<Answer, 'text'>): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
