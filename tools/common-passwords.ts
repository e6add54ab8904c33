import { writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { digestBytes, digestOfCommon } from '../shared/domain/passwords/common-passwords.ts'

/**
 * Makes the list of common passwords from standard input, one per line, the most common first. In an empty folder: `npm i
 * @zxcvbn-ts/language-common@4.1.3`, then `node -e "import('@zxcvbn-ts/language-common').then((m) =>
 * console.log(m.dictionary['passwords-common'].join('
 * ')))"`, piped into `node --import tsx tools/common-passwords.ts`. The list has digests, because some of the words are
 * offensive.
 */
const bytesMin = 8
const count = 10_000

const lines = (await text(process.stdin)).split('\n').filter((line) => Buffer.byteLength(line) >= bytesMin)
const digests = lines.slice(0, count).map(digestOfCommon).sort(Buffer.compare)
if (digests.length < count) throw new Error(`there are only ${digests.length} passwords of ${bytesMin} bytes or more`)
const source = `/** Digests of ${count} passwords, ${digestBytes} bytes each, in base64; made by tools/common-passwords.ts. */
export const commonPasswordDigests =
  '${Buffer.concat(digests).toString('base64')}'
`
await writeFile(new URL('../shared/domain/passwords/generated/common-password-digests.ts', import.meta.url), source)
