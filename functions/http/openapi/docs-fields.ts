import { escapeHtml } from '../answer/problem-page.ts'

type Json = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const shownDepth = 3

/** Escaped, with text between backticks as code. */
export const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const limitsOf = ({ minimum, maximum, minLength, maxLength, maxItems, pattern, format }: Json): readonly string[] => [
  ...(typeof format === 'string' ? [format] : []),
  ...(typeof minimum === 'number' && typeof maximum === 'number' ? [`${minimum}…${maximum}`] : []),
  ...(typeof minimum === 'number' && maximum === undefined ? [`from ${minimum}`] : []),
  ...(typeof maximum === 'number' && minimum === undefined ? [`up to ${maximum}`] : []),
  ...(typeof maxLength === 'number'
    ? [`${typeof minLength === 'number' ? `${minLength}…` : 'at most '}${maxLength} characters`]
    : []),
  ...(typeof maxItems === 'number' ? [`at most ${maxItems}`] : []),
  ...(typeof pattern === 'string' ? [pattern] : []),
]

/** The members of a union; none for other schemas. */
const membersOf = ({ anyOf, oneOf }: Json): readonly unknown[] => [anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? one : []))

/** The type of a schema in a few words, as HTML. References are links to the types of the page. */
export const typeText = (schema: unknown): string => {
  if (!isRecord(schema)) return 'any'
  const { $ref, const: constant, enum: names, type, items } = schema
  if (typeof $ref === 'string') {
    const name = escapeHtml($ref.split('/').at(-1) ?? '')
    return `<a href="#type-${name}">${name}</a>`
  }
  if (constant !== undefined) return escapeHtml(JSON.stringify(constant))
  if (Array.isArray(names)) return names.map((name) => escapeHtml(JSON.stringify(name))).join(' | ')
  const members = membersOf(schema)
  if (members.length > 0) return members.map(typeText).join(' | ')
  if (type === 'array') return `list of ${typeText(items)}`
  return escapeHtml(String(type ?? 'any'))
}

/** The object below lists and unions, whose fields are shown. */
const objectIn = (schema: unknown): Json | undefined => {
  if (!isRecord(schema)) return undefined
  if (isRecord(schema.properties)) return schema
  if (schema.type === 'array') return objectIn(schema.items)
  return undefined
}

const renderField = (name: string, schema: Json, isRequired: boolean, depth: number): string => {
  const limits = limitsOf(schema)
  const inside = depth < shownDepth ? objectIn(schema) : undefined
  const about = typeof schema.description === 'string' ? ` ${prose(schema.description)}` : ''
  const more = limits.length === 0 ? '' : ` <small>${escapeHtml(limits.join(', '))}</small>`
  const fields = inside === undefined ? '' : renderFields(inside, depth + 1)
  return `<dt><code>${escapeHtml(name)}</code> <span class="type">${typeText(schema)}</span>${isRequired ? ' <b>required</b>' : ''}</dt><dd>${about}${more}${fields}</dd>`
}

/** The fields of a schema as a list, nested objects inside. Other schemas are their type. */
export const renderFields = (schema: unknown, depth = 0): string => {
  const object = objectIn(schema)
  if (object === undefined || !isRecord(object.properties)) {
    const union = isRecord(schema) ? membersOf(schema).map(objectIn) : []
    const fields = union.map((one) => (one === undefined ? '' : renderFields(one, depth))).join('<p>or</p>')
    return fields === '' ? `<p class="type">${typeText(schema)}</p>` : fields
  }
  const required = Array.isArray(object.required) ? object.required : []
  const fields = Object.entries(object.properties).map(([name, field]) =>
    renderField(name, isRecord(field) ? field : {}, required.includes(name), depth),
  )
  return `<dl class="fields">${fields.join('')}</dl>`
}
