import fc from 'fast-check'

/** Any code point except surrogates. The unit `binary` of fast-check would first list all of them, which takes a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800))
