import { getHeapSnapshot } from 'node:v8'

type Snapshot = {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[] } }
  readonly nodes: readonly number[]
}

/** Bytes of all that is in a heap snapshot of this process, contents of array buffers too; taking one collects garbage first. */
export const measureHeap = async (): Promise<number> => {
  const parts: Buffer[] = []
  for await (const part of getHeapSnapshot()) parts.push(Buffer.from(part))
  const { snapshot, nodes }: Snapshot = JSON.parse(Buffer.concat(parts).toString())
  const fields = snapshot.meta.node_fields
  const sizeAt = fields.indexOf('self_size')
  let bytes = 0
  for (let at = sizeAt; at < nodes.length; at += fields.length) bytes += nodes[at] ?? 0
  return bytes
}
