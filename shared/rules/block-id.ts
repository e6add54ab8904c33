/** The form of block ids, on disk and in `blocks.yaml`: lower-case letters, digits and _, at most 64. */
export const blockIdPattern = '^[a-z][a-z0-9_]{0,63}$'

const blockId = new RegExp(blockIdPattern)

/** Whether a text has the form of a block id. */
export const isBlockId = (text: string): boolean => blockId.test(text)
