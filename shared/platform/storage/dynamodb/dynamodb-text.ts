import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { AppError } from '../../../kernel/errors.ts'

/** An item of DynamoDB, attribute by attribute. */
export type Item = Readonly<Record<string, AttributeValue>>

/** Shorter texts stay readable in the console. Longer ones are deflated, which suits JSON and YAML. */
const plainBytesMax = 1024
/** Below the limit of 400 KB for an item, including its keys and other attributes. */
const storedBytesMax = 390_000

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Converts `text` to attributes of an item. Throws AppError `too-large` if it is too large even when deflated. */
export const packText = async (text: string): Promise<Item> => {
  if (text.length <= plainBytesMax) return { text: { S: text } }
  const bytes = await deflate(text)
  if (bytes.length <= storedBytesMax) return { deflated: { B: bytes } }
  throw new AppError('too-large', 'record-too-large', 'The data is too large for one record. Make it smaller, or split it.')
}

/** The text of an item from `packText`. Throws AppError `unavailable` for any other item. */
export const unpackText = async ({ text, deflated }: Item): Promise<string> => {
  if (text?.S !== undefined) return text.S
  try {
    if (deflated?.B !== undefined) return (await inflate(deflated.B)).toString('utf8')
  } catch (cause) {
    throw new AppError('unavailable', 'service-unavailable', 'A stored record cannot be read.', { cause })
  }
  throw new AppError('unavailable', 'service-unavailable', 'A stored record cannot be read.')
}
