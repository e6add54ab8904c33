import { AppError } from '../../../shared/kernel/errors.ts'

type EntityTag = { readonly weak: boolean; readonly opaque: string }

const listed = /^\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/

/** The tags of `If-Match` or `If-None-Match` (RFC 9110, section 8.8.3); undefined when the list is malformed. */
const parseEntityTags = (header: string): readonly EntityTag[] | undefined => {
  const tags: EntityTag[] = []
  let rest = header
  while (rest.trim() !== '') {
    const match = listed.exec(rest)
    if (match === null) return undefined
    tags.push({ weak: match[1] !== undefined, opaque: match[2] ?? '' })
    rest = rest.slice(match[0].length)
  }
  return tags
}

/** Whether the client already has `etag`: `If-None-Match` compares weakly, `*` matches everything, a malformed list nothing. */
export const matchesNoneMatch = (header: string, etag: string): boolean =>
  header.trim() === '*' || (parseEntityTags(header)?.some(({ opaque }) => opaque === etag) ?? false)

/**
 * The strong tag on which a write is conditional. `*` only requires that the target exists, as every write here does. Weak tags
 * never match a write: a header with only weak tags is `stale`. Several strong tags or a malformed header are `invalid`.
 */
export const parseIfMatch = (header: string | undefined): string | undefined => {
  if (header === undefined || header.trim() === '*') return undefined
  const tags = parseEntityTags(header)
  if (tags === undefined || tags.length === 0)
    throw new AppError('invalid', 'bad-request', 'If-Match is not valid. Send the ETag as you received it, with its quotes.')
  const [strong, ...others] = tags.filter(({ weak }) => !weak)
  if (strong === undefined)
    throw new AppError('stale', 'stale', 'A weak entity tag matches no version. Send the strong ETag of a GET.')
  if (others.length > 0)
    throw new AppError('invalid', 'bad-request', 'If-Match names several versions. Send the one that you changed.')
  return strong.opaque
}
