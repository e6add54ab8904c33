import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { hashSecret } from '../../shared/kernel/ids.ts'
import type { Reply } from '../http/route.ts'

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const

/** Higher levels take a second for each document, and save a few percent. */
const brQuality = 9

const createReply = async (contentType: string, text: string): Promise<Reply> => {
  const body = Buffer.from(text)
  const [br, gzipped] = await Promise.all([
    compressors.br(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: brQuality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
    compressors.gzip(body),
  ])
  return { status: 200, body, contentType, encoded: { br, gzip: gzipped }, etag: hashSecret(text).slice(0, 32) }
}

/**
 * Answers with the text of `make`, which is made and compressed once for each base address: anyone may request it, as often as
 * they like. A failed attempt is repeated at the next request.
 */
export const createDocument = (contentType: string, make: (baseUrl: string) => string | Promise<string>) => {
  // A process has one base address; only tests have several.
  let latest: { readonly baseUrl: string; readonly reply: Promise<Reply> } | undefined
  return (baseUrl: string): Promise<Reply> => {
    if (latest?.baseUrl === baseUrl) return latest.reply
    const made = {
      baseUrl,
      reply: Promise.resolve(baseUrl)
        .then(make)
        .then((text) => createReply(contentType, text)),
    }
    latest = made
    made.reply.catch(() => {
      if (latest === made) latest = undefined
    })
    return made.reply
  }
}
