import { createHash } from 'node:crypto'

/** Letters without marks that fonts draw like a Latin letter. */
const cyrillic = { а: 'a', в: 'b', е: 'e', һ: 'h', н: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', о: 'o', р: 'p', с: 'c', т: 't' }
const moreCyrillic = { у: 'y', х: 'x', ѕ: 's', ԁ: 'd', ԛ: 'q', ԝ: 'w', ь: 'b', ӏ: 'l', г: 'r', з: '3' }
const greek = {
  α: 'a',
  β: 'b',
  γ: 'y',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  μ: 'u',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
}
/** Fonts draw a capital I like a small l, and it folds to a small i: all three are one letter here. */
const strokes = { '0': 'o', '1': 'l', i: 'l', ı: 'l', '|': 'l', ł: 'l', ø: 'o', đ: 'd' }

const armenian = { օ: 'o', ո: 'n', ս: 'u', հ: 'h', ց: 'g', զ: 'q' }
const moreLatin = { ɑ: 'a', ɡ: 'g', ɩ: 'i', ʋ: 'v', ƅ: 'b' }

/** A small i of another script is a stroke too. */
const drawnAs = new Map(
  Object.entries({ ...cyrillic, ...moreCyrillic, ...greek, ...armenian, ...moreLatin, ...strokes }).map(
    ([letter, latin]) => [letter, latin === 'i' ? 'l' : latin] as const,
  ),
)
const pairs = /rn|vv/g
/** Greek capitals drawn like Latin ones although their small letters are not. */
const greekCapitals = { Η: 'h', Ν: 'n', Μ: 'm', Υ: 'y', Ζ: 'z', Χ: 'x', Ρ: 'p', Β: 'b' }
/** Letters drawn like Latin capitals, each script next to the Latin letters in the same order. The third row is Latin small capitals. */
const drawnAsCapitals = [
  ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'abcdefghijklmnoprstuvwxyz'],
  ['ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ', 'abcdeghjklmprstvwz'],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
] as const
/** In both cases if the script has them. */
const pairUp = ([letters, latin]: readonly [string, string]) =>
  Array.from(letters, (letter, at) => [letter, latin.charAt(at)] as const).flatMap(([letter, as]) => [
    [letter, as] as const,
    [letter.toLowerCase(), as] as const,
  ])
const capitals = new Map<string, string>([...Object.entries(greekCapitals), ...drawnAsCapitals.flatMap(pairUp)])
/** Invisible characters, including the blank Braille pattern, and accents. Vowel signs of other scripts stay: they distinguish names. */
const unseen =
  /[\p{Default_Ignorable_Code_Point}\u2800]|(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/gu
const plain = /^[\x20-\x7e]*$/
const plainLookAlikes = /[01i|]/g

const drawPlain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/ +/g, ' ')
    .trim()
    .replace(plainLookAlikes, (letter) => (letter === '0' ? 'o' : 'l'))

const draw = (name: string): string => {
  const bare = name.normalize('NFKD').replace(unseen, '')
  const latin = Array.from(bare, (letter) => capitals.get(letter) ?? letter).join('')
  const folded = latin.toLowerCase().replace(/\s+/gu, ' ').trim()
  return Array.from(folded, (letter) => drawnAs.get(letter) ?? letter).join('')
}

/**
 * A key that is equal for names that look the same: it ignores case, marks, width and look-alike letters. It follows Unicode's UTS 39 for
 * names in Latin letters. Use it only to compare; never show it.
 */
export const nameSkeleton = (name: string): string =>
  (plain.test(name) ? drawPlain(name) : draw(name)).replace(pairs, (pair) => (pair === 'rn' ? 'm' : 'w'))

/** A hash of the skeleton, short enough for the id of a record. */
export const nameKeyOf = (name: string): string => createHash('sha256').update(nameSkeleton(name)).digest('base64url')
