import { type RealtimeNode, startRealtimeNode } from '../realtime/realtime-node.ts'
import { waitFor } from '../time/wait-for.ts'
import { openModuleFolder } from './module-folder.ts'

/** A definition of a module as the text of its file. */
export const moduleText = (name: string, body: string): string =>
  `import { Type } from '@sinclair/typebox'\nimport { defineModule } from 'gatehouse/module'\nexport default defineModule({ name: '${name}', api: 1, ${body} })\n`

/** A real-time node on its own port with the modules of a folder. Texts are bodies of definitions, by name. Throws if one does not load. */
export const startNodeWithModules = async (
  bodies: Readonly<Record<string, string>>,
  options: Parameters<typeof startRealtimeNode>[0] = {},
) => {
  const files = Object.entries(bodies).map(([name, body]) => [`${name}.ts`, moduleText(name, body)] as const)
  const folder = await openModuleFolder(Object.fromEntries(files))
  const node: RealtimeNode = await startRealtimeNode({ ...options, moduleSources: folder.sources })
  const { moduleHost, composedModules } = node
  if (moduleHost === undefined) throw new Error('the node has no host of modules')
  await moduleHost.start()
  for (const { name, state, fault } of moduleHost.list())
    if (state === 'failed') {
      await node.close()
      throw new Error(`the module ${name} does not load: ${fault?.message}`)
    }
  await waitFor(() => moduleHost.list().some(({ state }) => state === 'running'))
  const endLink = await composedModules?.link()
  return {
    ...node,
    moduleHost,
    folder,
    /** Writes the body of a definition, without loading it. */
    write: (name: string, body: string) => folder.write(`${name}.ts`, moduleText(name, body)),
    close: async () => {
      endLink?.()
      await node.close()
      await folder.remove()
    },
  }
}

export type NodeWithModules = Awaited<ReturnType<typeof startNodeWithModules>>
