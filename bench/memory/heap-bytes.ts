import { getHeapSnapshot } from 'node:v8'

type Snapshot = {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] } }
  readonly nodes: readonly number[]
}

/** V8 compiles and drops code independently of the number of players. */
const codeType = 'code'

/** Bytes of a heap snapshot of this process without code, including the contents of array buffers; it collects garbage first. */
export const measureHeap = async (): Promise<number> => {
  const parts: Buffer[] = []
  for await (const part of getHeapSnapshot()) parts.push(Buffer.from(part))
  const { snapshot, nodes }: Snapshot = JSON.parse(Buffer.concat(parts).toString())
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [typeAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const names = types[typeAt]
  const code = Array.isArray(names) ? names.indexOf(codeType) : -1
  let bytes = 0
  for (let at = 0; at < nodes.length; at += fields.length) if (nodes[at + typeAt] !== code) bytes += nodes[at + sizeAt] ?? 0
  return bytes
}
