import { NoAnswer } from '../../../../tools/conformance/client/http-client.ts'
import type { Operation } from '../../../../tools/conformance/rules/api-description.ts'
import type { Random } from '../../random.ts'
import type { FuzzKind, Parts } from '../fuzz-kind.ts'
import { judgeAnswer } from '../judge-answer.ts'
import { blowUp, mutateText, mutateValue } from '../mutate.ts'
import { asUtf8, oddText } from '../odd-values.ts'
import { sampleOfSchema } from '../sample-of-schema.ts'
import type { Target } from '../target.ts'

const callers = ['', 'fuzz-1', 'boss', 'boss', 'boss', 'nonsense'] as const
const odderMethods = ['HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'DELETE', 'PUT', 'POST'] as const
const headerNames = [
  'accept',
  'accept-encoding',
  'if-match',
  'if-none-match',
  'x-request-id',
  'x-forwarded-for',
  'origin',
  'cookie',
  'content-encoding',
  'range',
  'expect',
  'authorization',
] as const
const headerValues = [
  '*',
  'W/"',
  '"',
  ',,,',
  'Bearer x',
  'null',
  'gzip',
  'identity',
  'application/json; charset=utf-16',
  'bytes=0-',
  '1.2.3.4, ::1',
  'x'.repeat(4000),
  '"a", "b"',
] as const
const mediaTypes = [
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'application/yaml',
  'text/plain',
  'text/yaml',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-7',
  'image/png',
  '',
] as const

/** Skips targets that would break the campaign: its own account, sign-out, and settings for the next reload. */
const isSpared = (target: string): boolean => /boss(@|%40)/i.test(target) || /auth\/logout/.test(target)

const addressOf = (random: Random, { path, parameters }: Operation, words: readonly string[]): string => {
  const value = (): string => {
    const text = random.chance(0.7) ? random.pick(words) : oddText(random)
    return random.chance(0.9) ? encodeURIComponent(asUtf8(text)) : text.replaceAll(/[^\x21-\x7e]/g, '%')
  }
  const filled = path.replaceAll(/\{[^}]*\}/g, value)
  const query = parameters
    .filter((one) => one.in === 'query' && random.chance(0.6))
    .map(({ name, schema }) => {
      const sample = random.chance(0.6) ? sampleOfSchema(random, schema, words) : oddText(random)
      const text = String(sample)
      return `${name}=${encodeURIComponent(asUtf8(text))}`
    })
  if (random.chance(0.05)) query.push(random.pick(['&&==&', '%00=%00', '__proto__[a]=1', 'limit=1&limit=2', '?']))
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

const bodyOf = (random: Random, { requestBody }: Operation, words: readonly string[]): string => {
  const schema = requestBody?.content['application/json']?.schema
  const sample = schema === undefined ? random.pick(['', 'groups: []\n', '{}']) : sampleOfSchema(random, schema, words)
  if (random.chance(0.004)) return blowUp(random, sample)
  const value = random.chance(0.5) ? mutateValue(random, sample) : sample
  const text = typeof sample === 'string' ? sample : JSON.stringify(value)
  if (random.chance(0.2)) return mutateText(random, text)
  if (random.chance(0.02)) return Buffer.from(text, 'utf16le').toString('latin1')
  return Buffer.from(text).toString('latin1')
}

const headersOf = (random: Random): Record<string, string> => {
  const count = random.chance(0.3) ? random.int(1, 3) : 0
  return Object.fromEntries(
    Array.from({ length: count }, () => [`?${random.pick(headerNames)}`, random.pick(headerValues)] as const),
  )
}

const make = (random: Random, { api, words }: Target): Parts => {
  const operation = random.pick(api.operations)
  const method = random.chance(0.95) ? operation.method : random.pick(odderMethods)
  const target = random.chance(0.97)
    ? addressOf(random, operation, words)
    : `/${mutateText(random, operation.path.slice(1)).replaceAll(/[^\x21-\x7e]/g, '%')}`
  const takesBody = operation.requestBody !== undefined || random.chance(0.05)
  return {
    method,
    target,
    as: random.pick(callers),
    ...(takesBody && { '?body': bodyOf(random, operation, words), '?content-type': random.pick(mediaTypes) }),
    ...headersOf(random),
  }
}

/** Requests to every route of the server's description, sometimes with malformed parts. */
export const requests: FuzzKind = {
  name: 'requests',
  weight: 60,
  make,
  send: async (parts, target) => {
    const { method = 'GET', as = '', '?body': body = '' } = parts
    const address = parts.target ?? '/'
    if (isSpared(address) || /boss@/.test(body)) return { seen: 'spared' }
    const written = /configs\/.*server/i.test(address) && method === 'PUT' ? `${address.split('?')[0]}?dryRun=true` : address
    const token = as === 'nonsense' ? '00000000-0000-4000-8000-000000000000' : target.tokenOf(as)
    const given = Object.entries(parts).filter(([name, value]) => name.startsWith('?') && name !== '?body' && value !== '')
    const headers = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...Object.fromEntries(given.map(([name, value]) => [name.slice(1), value])),
    }
    const sends = { method, target: written, headers, ...(body === '' ? {} : { body: Buffer.from(body, 'latin1') }) }
    try {
      const answer = await target.http.send(sends)
      return { seen: String(answer.status), fault: judgeAnswer(answer, address + body, target) }
    } catch (error) {
      // The server hangs up on a request that is not HTTP.
      const isCutOff = error instanceof NoAnswer && /ECONNRESET|EPIPE|HPE_|socket hang up/.test(error.message)
      return isCutOff && target.house.isRunning() ? { seen: 'cut off' } : { seen: 'no answer', fault: String(error) }
    }
  },
}
