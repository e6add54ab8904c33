import { createHash } from 'node:crypto'

/** Bytes that are kept of each digest: of a million passwords that are not in the list, about one in a hundred runs is taken for one. */
export const digestBytes = 5

/** What the list holds of a password. Capitals do not make a common one rare. */
export const digestOfCommon = (password: string): Buffer =>
  createHash('sha256').update(password.normalize('NFC').toLowerCase()).digest().subarray(0, digestBytes)

let digests: Buffer | undefined

/** The list is read with the first question: 50 kB, which most processes never need. */
const readDigests = async (): Promise<Buffer> => {
  const { commonPasswordDigests } = await import('./generated/common-password-digests.ts')
  digests ??= Buffer.from(commonPasswordDigests, 'base64')
  return digests
}

/** Whether the password is one of the 10,000 that people choose most among those that are long enough here. */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  const list = digests ?? (await readDigests())
  const wanted = digestOfCommon(password)
  for (let at = list.indexOf(wanted); at !== -1; at = list.indexOf(wanted, at + 1)) if (at % digestBytes === 0) return true
  return false
}
