import { words } from '../words.ts'

/** A key whose value differs before and after. */
type Change = { readonly key: string; readonly before: unknown; readonly after: unknown }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The keys whose values differ, joined by dots. Lists are compared as a whole. Values that are not objects have an empty key. */
const findDifferences = (before: unknown, after: unknown, path = ''): readonly Change[] => {
  if (isSame(before, after)) return []
  if (!isObject(before) && !isObject(after)) return [{ key: path, before, after }]
  const [was, is] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return keys.flatMap((key) => findDifferences(was[key], is[key], path === '' ? key : `${path}.${key}`))
}

/** A value as lines: one for each item of a list, and `key: value` for each key of an object. */
const textOf = (value: unknown, isInner = false): string => {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return words.audit.absent
  if (Array.isArray(value)) return value.map((item) => textOf(item, true)).join(isInner ? ', ' : '\n')
  if (!isObject(value)) return String(value)
  const lines = Object.entries(value).map(([key, inner]) => `${key}: ${textOf(inner, true)}`)
  return lines.join(isInner ? ', ' : '\n')
}

/** The changes of a write, side by side. */
export const Difference = ({ before, after }: { readonly before: unknown; readonly after: unknown }) => {
  const changes = findDifferences(before ?? undefined, after ?? undefined)
  if (changes.length === 0) return null
  return (
    <div class="scroll">
      <table class="difference">
        <thead>
          <tr>
            <td />
            <th scope="col">{words.audit.before}</th>
            <th scope="col">{words.audit.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.key}>
              <th scope="row">{change.key}</th>
              <td data-head={words.audit.before} class={change.before === undefined ? 'quiet' : 'was'}>
                <pre dir="auto">{textOf(change.before)}</pre>
              </td>
              <td data-head={words.audit.after} class={change.after === undefined ? 'quiet' : 'is'}>
                <pre dir="auto">{textOf(change.after)}</pre>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
