import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { projectRoot } from './dockerfile.ts'

export const kubernetesFolder = join(projectRoot, 'infra/kubernetes')

/** Any Kubernetes object, and its file. */
export type Manifest = { readonly file: string; readonly value: KubernetesObject }

// biome-ignore lint/suspicious/noExplicitAny: the tests check the content of the manifests.
export type KubernetesObject = Record<string, any>

/** Every document of every YAML file of `infra/kubernetes`, including those that only kustomize reads. */
export const readManifests = (): readonly Manifest[] =>
  readdirSync(kubernetesFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
        if ('errors' in document && document.errors.length > 0) throw document.errors[0]
        return { file: relative(kubernetesFolder, path).replaceAll('\\', '/'), value: document.toJS() }
      })
    })

/** The documents that are applied to a cluster. */
export const readObjects = (): readonly Manifest[] =>
  readManifests().filter(({ value }) => value.apiVersion !== undefined && !/^kustomize\./.test(value.apiVersion))

/** The only object of a kind and name; throws if there is none. */
export const getObject = (kind: string, name: string): KubernetesObject => {
  const found = readObjects().find(({ value }) => value.kind === kind && value.metadata.name === name)
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
  return found.value
}
