export { type DecodeResult, decodeChunk } from './decode-chunk.ts'
export { encodeChunk } from './encode-chunk.ts'
