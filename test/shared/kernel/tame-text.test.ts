import { expect, it } from '@jest/globals'
import { tameText } from '../../../shared/kernel/tame-text.ts'

const [rlo, lre, pdf, rli, fsi, pdi] = ['\u202e', '\u202a', '\u202c', '\u2067', '\u2068', '\u2069']

it.each([
  ['plain text stays', 'Hello, שלום!', 'Hello, שלום!'],
  ['removes an override without an end', `a${rlo}bc`, 'abc'],
  ['removes an end without a start', `a${pdf}b${pdi}c`, 'abc'],
  ['a pair stays', `a${rli}שלום${pdi}b`, `a${rli}שלום${pdi}b`],
  ['pairs within pairs stay', `${fsi}${lre}a${pdf}${pdi}`, `${fsi}${lre}a${pdf}${pdi}`],
  ['removes marks closed in the wrong order', `${rlo}${rli}a${pdf}${pdi}`, `${rli}a${pdi}`],
  ['eight marks on a character stay', `e${'\u0301'.repeat(8)}x`, `e${'\u0301'.repeat(8)}x`],
  ['more marks go', `Z${'\u0335\u0321'.repeat(40)}algo`, `Z${'\u0335\u0321'.repeat(4)}algo`],
  ['marks of words stay', 'नमस्ते tiếng Việt', 'नमस्ते tiếng Việt'],
])('%s', (_name, text, tamed) => {
  expect(tameText(text)).toBe(tamed)
})
