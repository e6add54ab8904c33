import { type IssuerAnswer, IssuerFault } from './oauth-request.ts'

/** What the library reads of them. */
const headersKept = ['content-type', 'www-authenticate'] as const

/**
 * The answer as the library takes it, whose text is there already: carried in a stream it would cost ten times as much to make and to
 * read. Throws IssuerFault for a status that no whole answer has.
 */
export const toResponse = (answer: IssuerAnswer): Response => {
  const { status, headers, body } = answer
  if (status < 200 || status > 599) throw new IssuerFault(`the identity provider answered with status ${status}`)
  const kept = headersKept.flatMap((name): [string, string][] => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value]]
  })
  return Object.assign(new Response(null, { status, headers: kept }), {
    text: async () => body,
    json: async (): Promise<unknown> => JSON.parse(body),
    clone: () => toResponse(answer),
  })
}
