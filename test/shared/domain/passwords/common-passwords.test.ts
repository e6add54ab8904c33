import { expect, it } from '@jest/globals'
import { digestBytes, isCommonPassword } from '../../../../shared/domain/passwords/common-passwords.ts'
import { commonPasswordDigests } from '../../../../shared/domain/passwords/generated/common-password-digests.ts'

it.each(['password', '12345678', 'PassWord', 'qwertyuiop', 'iloveyou'])('lists %s as a common password', async (password) => {
  expect(await isCommonPassword(password)).toBe(true)
})

it.each(['correct horse battery', 'jH4!xk09-quiet-otter', ''])('does not list %j', async (password) => {
  expect(await isCommonPassword(password)).toBe(false)
})

it('has 10,000 different passwords, in order', () => {
  const bytes = Buffer.from(commonPasswordDigests, 'base64')
  const digests = Array.from({ length: bytes.length / digestBytes }, (_, at) =>
    bytes.toString('hex', at * digestBytes, (at + 1) * digestBytes),
  )
  expect(new Set(digests).size).toBe(10_000)
  expect(digests).toEqual([...digests].sort())
})
