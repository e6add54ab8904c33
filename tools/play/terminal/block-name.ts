import { toPrintableLine } from './printable.ts'

/** What a kind of block is called: by blocks.yaml, or by its id where the server is older or no longer has it. */
export const nameOfBlock = ({ id, name }: { readonly id: string; readonly name?: string | undefined }): string =>
  toPrintableLine(name ?? id.replaceAll('_', ' '))
