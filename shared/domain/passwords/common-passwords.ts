import { createHash } from 'node:crypto'

/** The bytes kept of each digest. Of a million other passwords, about one in a hundred runs is mistaken for a common one. */
export const digestBytes = 5

/** The entry for a password in the list. Upper case does not make a common password rare. */
export const digestOfCommon = (password: string): Buffer =>
  createHash('sha256').update(password.normalize('NFC').toLowerCase()).digest().subarray(0, digestBytes)

let digests: Buffer | undefined

/** Reads the list when it is first needed: 50 kB, which most processes never need. */
const readDigests = async (): Promise<Buffer> => {
  const { commonPasswordDigests } = await import('./generated/common-password-digests.ts')
  digests ??= Buffer.from(commonPasswordDigests, 'base64')
  return digests
}

/** Whether the password is one of the 10,000 most common ones of sufficient length. */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  const list = digests ?? (await readDigests())
  const digest = digestOfCommon(password)
  for (let at = list.indexOf(digest); at !== -1; at = list.indexOf(digest, at + 1)) if (at % digestBytes === 0) return true
  return false
}
