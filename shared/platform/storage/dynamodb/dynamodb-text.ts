import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { AppError } from '../../../kernel/errors.ts'

/** An item of DynamoDB, attribute by attribute. */
export type Item = Readonly<Record<string, AttributeValue>>

/** Shorter texts are kept readable in the console; longer ones deflated, which JSON and YAML take well. */
const plainBytesMax = 1024
/** Below DynamoDB's 400 KB for an item, its keys and other attributes included. */
const storedBytesMax = 390_000

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** `text` as attributes of an item; throws AppError `too-large` when it does not fit into one even so. */
export const packText = async (text: string): Promise<Item> => {
  if (text.length <= plainBytesMax) return { text: { S: text } }
  const bytes = await deflate(text)
  if (bytes.length <= storedBytesMax) return { deflated: { B: bytes } }
  throw new AppError('too-large', 'record-too-large', 'This is more than one record can hold; make it smaller, or several.')
}

/** The text of an item that `packText` made; throws AppError `unavailable` for one that it cannot have made. */
export const unpackText = async ({ text, deflated }: Item): Promise<string> => {
  if (text?.S !== undefined) return text.S
  try {
    if (deflated?.B !== undefined) return (await inflate(deflated.B)).toString('utf8')
  } catch (cause) {
    throw new AppError('unavailable', 'service-unavailable', 'A stored record cannot be read.', { cause })
  }
  throw new AppError('unavailable', 'service-unavailable', 'A stored record cannot be read.')
}
