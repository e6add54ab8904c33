import { getHeapSnapshot } from 'node:v8'

type Snapshot = {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] } }
  readonly nodes: readonly number[]
}

/** Compiled code comes and goes with what V8 thinks of it, whoever is there. */
const codeType = 'code'

/** Bytes of all but code in a heap snapshot of this process, contents of array buffers too; taking one collects garbage first. */
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
