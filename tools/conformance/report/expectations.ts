import { isDeepStrictEqual } from 'node:util'
import type { Static, TSchema } from '@sinclair/typebox'
import { createParser } from '../../../shared/kernel/schema.ts'
import { type Answer, headerOf, jsonOf, mediaTypeOf } from '../client/http-client.ts'
import { Mismatch } from './mismatch.ts'

const shownMax = 300

const shorten = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)

/** A value in the report. */
export const show = (value: unknown): string =>
  shorten(value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)))

/** An answer in the report: the request, the status and the detail. */
export const showAnswer = ({ sent, status, text }: Answer): string => {
  const said = text === '' ? '' : ` ${shorten(text.replaceAll(/\s+/g, ' '))}`
  return `${status}${said} to ${sent.method} ${sent.target} (request id ${sent.requestId})`
}

/** Throws Mismatch unless `holds`. */
export const expectThat = (holds: boolean, expected: string, got: () => string): void => {
  if (!holds) throw new Mismatch(expected, got())
}

export const expectStatus = (answer: Answer, ...statuses: readonly number[]): void =>
  expectThat(statuses.includes(answer.status), statuses.join(' or '), () => showAnswer(answer))

/** Expects a problem with this status and slug, or one of several slugs. */
export const expectProblem = (answer: Answer, status: number, ...slugs: readonly string[]): void => {
  const body = jsonOf(answer)
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined
  const types = slugs.map((slug) => `/problems/${slug}`)
  const holds = answer.status === status && typeof type === 'string' && types.includes(type)
  expectThat(holds, `${status} with the type ${types.join(' or ')}`, () => showAnswer(answer))
}

export const expectEqual = (what: string, got: unknown, expected: unknown): void =>
  expectThat(isDeepStrictEqual(got, expected), `${what} ${show(expected)}`, () => show(got))

/** Expects a header, which matches `pattern` if one is given. */
export const expectHeader = (answer: Answer, name: string, pattern: RegExp | string = /./): string => {
  const value = headerOf(answer, name)
  const holds = value !== undefined && (typeof pattern === 'string' ? value === pattern : pattern.test(value))
  const wanted = typeof pattern === 'string' ? ` ${pattern}` : pattern.source === '.' ? '' : ` like ${pattern.source}`
  expectThat(holds, `the header ${name}${wanted}`, () => `${value ?? 'none'} in ${showAnswer(answer)}`)
  return value ?? ''
}

export const expectNoHeader = (answer: Answer, name: string): void =>
  expectThat(
    headerOf(answer, name) === undefined,
    `no header ${name}`,
    () => `${headerOf(answer, name)} in ${showAnswer(answer)}`,
  )

export const expectMediaType = (answer: Answer, mediaType: string): void =>
  expectThat(
    mediaTypeOf(answer) === mediaType,
    `the media type ${mediaType}`,
    () => `${mediaTypeOf(answer) ?? 'none'} in ${showAnswer(answer)}`,
  )

export const expectNoBody = (answer: Answer): void =>
  expectThat(answer.bytes.length === 0, 'no body', () => `${answer.bytes.length} bytes: ${showAnswer(answer)}`)

/** Parses the body as far as a check needs it. Other keys are allowed. */
export const expectBody = <S extends TSchema>(answer: Answer, schema: S): Static<S> => {
  const parsed = createParser(schema)(jsonOf(answer))
  if (parsed.ok) return parsed.value
  const faults = parsed.faults.map(({ pointer = '', message }) => `${pointer} ${message}`.trim())
  throw new Mismatch(`a body of another form: ${faults.slice(0, 3).join('; ')}`, showAnswer(answer))
}

/** The pointers in the `errors` of a problem. */
export const pointersOf = (answer: Answer): readonly string[] => {
  const body = jsonOf(answer)
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return []
  return body.errors.flatMap((fault: unknown) =>
    typeof fault === 'object' && fault !== null && 'pointer' in fault ? [String(fault.pointer)] : [],
  )
}

/** Expects a 400 whose `errors` point at `pointer` or below it. */
export const expectFaultAt = (answer: Answer, pointer: string): void => {
  expectProblem(answer, 400, 'bad-request')
  const pointers = pointersOf(answer)
  const holds = pointers.some((at) => at === pointer || at.startsWith(`${pointer}/`))
  expectThat(holds, `errors that point at ${pointer}`, () => `${show(pointers)} in ${showAnswer(answer)}`)
}

/** The strong entity tag of an answer, with its quotes. */
export const expectEtag = (answer: Answer): string => expectHeader(answer, 'ETag', /^"[\x21\x23-\x7e]+"$/)

/** Expects this order without duplicates. */
export const expectSorted = <T>(what: string, items: readonly T[], compare: (one: T, other: T) => number): void => {
  const at = items.findIndex((item, i) => i > 0 && compare(items[i - 1] ?? item, item) >= 0)
  expectThat(at === -1, `${what} sorted, each once`, () => `${show(items[at - 1])} before ${show(items[at])}`)
}
