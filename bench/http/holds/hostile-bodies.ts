/** A JSON text of up to `bytes`: `head`, as many of `piece` as fit, and `tail`. */
const fill = (bytes: number, [head, tail]: readonly [string, string], piece: (index: number) => string): string => {
  const pieces: string[] = []
  let length = head.length + tail.length
  for (let index = 0; ; index += 1) {
    const next = (index === 0 ? '' : ',') + piece(index)
    length += next.length
    if (length > bytes) return head + pieces.join('') + tail
    pieces.push(next)
  }
}

/** The bodies of up to `bytes` that are most expensive to refuse, by description; `lists` are keys with a list as their value. */
export const hostileBodies = (bytes: number, lists: readonly string[]): readonly (readonly [what: string, body: string])[] => [
  ['unknown keys', fill(bytes, ['{', '}'], (index) => `"k${index.toString(36)}":0`)],
  ['keys that are numbers', fill(bytes, ['{', '}'], (index) => `"${index * 4099}":0`)],
  ['one key again and again', fill(bytes, ['{', '}'], () => '"a":0')],
  ['escaped characters', fill(bytes, ['["\\ud83d\\ude00",', ']'], () => '0')],
  ['text of escapes', fill(bytes, ['["', '"]'], () => '\\ud83d\\ude00')],
  ['brackets', '['.repeat(bytes)],
  ['depth', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
  ['a number', fill(bytes, ['{"email":1', '}'], () => '0').replaceAll(',', '')],
  ['a long text', JSON.stringify({ email: `${'a'.repeat(bytes - 40)}@b`, password: 'x' })],
  ['a long key', `{"${'a/~'.repeat(Math.floor((bytes - 6) / 3))}":0}`],
  ...lists.flatMap((key): (readonly [string, string])[] => [
    [`${key} of empty objects`, fill(bytes, [`{"${key}":[`, ']}'], () => '{}')],
    [`${key} of zeros`, fill(bytes, [`{"${key}":[`, ']}'], () => '0')],
    [`${key} of a list of zeros`, fill(bytes, [`{"${key}":[[`, ']]}'], () => '0')],
    [`${key} of columns`, fill(bytes, [`{"${key}":[`, ']}'], (index) => `{"cx":${index},"cz":0}`)],
    [`${key} of texts`, fill(bytes, [`{"${key}":[`, ']}'], (index) => `"g${index}"`)],
  ]),
]
