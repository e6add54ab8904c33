/**
 * Invisible glyphs that Unicode does not call ignorable: Braille and hieroglyph blanks, fillers, null noteheads, object placeholders.
 */
const blank = '\\u2800\\uFFFC\\u{1D159}\\u{13441}\\u{13442}\\u{16FE4}\\u{1107F}'

/** Matches characters with ink that are not marks on other characters. */
const visible = new RegExp(`[^\\s\\p{M}\\p{Default_Ignorable_Code_Point}\\p{C}${blank}]`, 'u')
const invisible = new RegExp(`[\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}${blank}]`, 'u')

/** Whether any character of the text is visible. */
export const hasVisible = (text: string): boolean => visible.test(text)

const pictogram =
  '(?:\\p{Regional_Indicator}{2}|[0-9#*]\\uFE0F?\\u20E3|(?![0-9#*])\\p{Emoji}(?:\\p{Emoji_Modifier}|[\\uFE0E\\uFE0F])?)'
/** The flags of England, Scotland and Wales, the only tagged flags with a glyph. */
const tagged =
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}'
/** One emoji, or several joined by ZWJ (UTS 51, ED-16). */
const emoji = new RegExp(`${tagged}|${pictogram}(?:\\u200D${pictogram})*`, 'gu')

/** Signs that remove the vowel of a consonant (canonical combining class 9). */
const virama =
  '\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D3B\\u0D3C\\u0D4D\\u0DCA\\u0E3A\\u0EBA\\u0F84\\u1039\\u103A\\u1714\\u1734\\u17D2\\u1A60\\u1B44\\u1BAA\\u1BAB\\u1BF2\\u1BF3\\uA806\\uA8C4\\uA953\\uA9C0\\uAAF6\\uABED\\u{11046}\\u{110B9}\\u{11133}\\u{111C0}\\u{11235}\\u{112EA}\\u{1134D}\\u{11442}\\u{114C2}\\u{115BF}\\u{1163F}\\u{116B6}'
/** Arabic letters that do not join the next letter, so ZWNJ has no effect there. */
const endsOnItsOwn =
  '\\u0621-\\u0625\\u0627\\u0629\\u062F-\\u0632\\u0648\\u0671-\\u0677\\u0688-\\u0699\\u06C0\\u06C3-\\u06CB\\u06CD\\u06CF\\u06D2\\u06D3\\u06D5\\u06DD\\u06EE\\u06EF'
const cursive =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Nko}\\p{Script=Mongolian}\\p{Script=Mandaic}\\p{Script=Phags_Pa}\\p{Script=Adlam}\\p{Script=Hanifi_Rohingya}]'
/** Joiners in the places that UAX 31 (section 2.3) allows: ZWNJ between joined letters, either joiner after a virama. */
const joiner = new RegExp(
  `(?<=(?![${endsOnItsOwn}])(?=\\p{L})${cursive}\\p{M}*)\\u200C(?=\\p{M}*(?=\\p{L})${cursive})|(?<=\\p{L}\\p{M}*[${virama}]\\p{M}*)(?:\\u200C(?=\\p{M}*\\p{L})|\\u200D(?!\\p{M}))`,
  'gu',
)

const marksMax = 4
const tooManyMarks = new RegExp(`\\p{M}{${marksMax + 1}}`, 'u')

/**
 * Whether a name has only visible characters, and at least one. It may have no control or format characters, no blanks, and at most
 * four marks on a letter. Joiners and variation selectors count as visible only where they change the glyphs: in emoji, and in scripts
 * that need them.
 */
export const isShown = (name: string): boolean => {
  const rest = name.replace(emoji, 'E').replace(joiner, '')
  return visible.test(rest) && !invisible.test(rest) && !tooManyMarks.test(name)
}
