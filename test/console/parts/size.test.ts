import { expect, it } from '@jest/globals'
import { formatSize } from '../../../console/parts/size.ts'
import { sizeOf } from '../../../tools/world/words.ts'

it.each([0, 1, 512, 1023, 1024, 1536, 1_000_000, 1_048_576, 1_500_000_000, 2 ** 40, 2 ** 50])(
  'formats %d bytes as the command line does',
  (bytes) => {
    expect(formatSize(bytes)).toBe(sizeOf(bytes))
  },
)
