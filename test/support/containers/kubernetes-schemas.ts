import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTempDir } from '../processes/temp-dir.ts'
import { projectRoot } from './dockerfile.ts'
import type { KubernetesObject } from './kubernetes.ts'

/** The module of a kind in kubernetes-models: `apps/v1/Deployment`, `v1/Service`. */
const modulePath = ({ apiVersion, kind }: KubernetesObject): string => `${apiVersion}/${kind}`

/** Throws if an object does not match the schema of its kind. Ignores fields that the schema does not know. */
export const checkBySchema = async (object: KubernetesObject): Promise<void> => {
  const { [object.kind]: Model } = await import(`kubernetes-models/${modulePath(object)}`)
  new Model(object).validate()
}

/**
 * Returns the errors of the compiler when each object has the type of its kind: wrong types, and unknown fields. An API server
 * would silently drop the latter.
 */
export const checkByTypes = async (objects: readonly KubernetesObject[]): Promise<string> => {
  const { path: folder, remove } = await createTempDir()
  const models = join(projectRoot, 'node_modules/kubernetes-models')
  const lines = objects.map(
    (object, at) =>
      `export const object${at}: import('${models}/${modulePath(object)}').I${object.kind} = ${JSON.stringify(object, undefined, 1)}`,
  )
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: 'es2023',
    types: [],
    module: 'nodenext',
    moduleResolution: 'nodenext',
  }
  try {
    await writeFile(join(folder, 'objects.ts'), `${lines.join('\n')}\n`)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['objects.ts'] }))
    const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [compiler, '-p', folder])
    return ''
  } catch (error) {
    return typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : String(error)
  } finally {
    await remove()
  }
}
