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

/** Whether the client has `etag` already: `If-None-Match` compares weakly, `*` matches everything, a malformed list nothing. */
export const matchesNoneMatch = (header: string, etag: string): boolean =>
  header.trim() === '*' || (parseEntityTags(header)?.some(({ opaque }) => opaque === etag) ?? false)

/**
 * The one strong tag that a write is conditional on. `*` asks only that the target exists, which every write here does. Weak
 * tags never match a write, so a header of nothing else is `stale`; several strong tags, or none that parses, are `invalid`.
 */
export const parseIfMatch = (header: string | undefined): string | undefined => {
  if (header === undefined || header.trim() === '*') return undefined
  const tags = parseEntityTags(header)
  if (tags === undefined || tags.length === 0)
    throw new AppError('invalid', 'bad-request', 'If-Match is not valid: send the ETag as you got it, quotes included.')
  const [strong, ...others] = tags.filter(({ weak }) => !weak)
  if (strong === undefined)
    throw new AppError('stale', 'stale', 'A weak entity tag matches no version; send the strong ETag of a GET.')
  if (others.length > 0)
    throw new AppError('invalid', 'bad-request', 'If-Match names several versions; send the one you changed.')
  return strong.opaque
}
