import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { parseAllDocuments } from 'yaml'
import { type KubernetesObject, kubernetesFolder, readManifests } from '../../support/containers/kubernetes.ts'
import { commandNeed } from '../../support/needs/command.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'

const kustomizations = readManifests().filter(({ file }) => file.endsWith('kustomization.yaml'))
const isFile = (name: string): boolean => name.endsWith('.yaml')

describe.each(kustomizations)('infra/kubernetes/$file', ({ file, value }) => {
  const folder = join(kubernetesFolder, dirname(file))

  it('lists every object of its folder and no others', () => {
    const named: string[] = [...(value.resources ?? []), ...(value.components ?? []), ...(value.configurations ?? [])]
    for (const name of named)
      expect([name, existsSync(join(folder, name, isFile(name) ? '' : 'kustomization.yaml'))]).toEqual([name, true])
    for (const { files = [] } of value.configMapGenerator ?? [])
      for (const name of files) expect(existsSync(join(folder, name))).toBe(true)
    const beside = readManifests().filter((other) => dirname(other.file) === dirname(file) && other.value.kind !== undefined)
    const objects = beside.map((other) => other.file.split('/').at(-1)).filter((name) => name !== 'kustomization.yaml')
    expect(named).toEqual(expect.arrayContaining(objects))
  })
})

// Debian has no recent enough version.
const describeKubectl = describeWhere({ ...commandNeed('kubectl', 'help'), isOptional: true })

describeKubectl('the output of kustomize', () => {
  const removals: (() => Promise<void>)[] = []
  afterAll(() => Promise.all(removals.map((remove) => remove())))

  const build = (folder: string): readonly KubernetesObject[] =>
    parseAllDocuments(execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })).map((document) => document.toJS())
  const kindsOf = (objects: readonly KubernetesObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  /** The example with the fleet in place of the Deployment. */
  const buildWithAgones = async () => {
    const { path, remove } = await createTempDir()
    removals.push(remove)
    await cp(kubernetesFolder, path, { recursive: true })
    const example = join(path, 'example/kustomization.yaml')
    await writeFile(example, (await readFile(example, 'utf8')).replace('- ../base', '- ../agones'))
    return build(join(path, 'example'))
  }

  it('of the example has every object in one namespace, with its images and addresses', () => {
    const objects = build(join(kubernetesFolder, 'example'))
    expect(kindsOf(objects)).toEqual(
      expect.arrayContaining([
        'Deployment gatehouse-http',
        'Deployment gatehouse-realtime',
        'Deployment gatehouse-redis',
        'Ingress gatehouse',
      ]),
    )
    for (const { kind, metadata } of objects)
      if (kind !== 'Namespace') expect([kind, metadata.namespace]).toEqual([kind, 'gatehouse'])
    expect(JSON.stringify(objects)).toContain('"image":"registry.example.com/gatehouse-realtime:0.2.0"')
    expect(JSON.stringify(objects)).toContain('"REDIS_URL":"redis://gatehouse-redis:6379"')
  })

  it('with Agones has a fleet instead of the Deployment, with the same settings and image', async () => {
    const objects = await buildWithAgones()
    expect(kindsOf(objects)).toContain('Fleet gatehouse-realtime')
    expect(kindsOf(objects)).not.toContain('Deployment gatehouse-realtime')
    expect(kindsOf(objects)).not.toContain('PodDisruptionBudget gatehouse-realtime')
    const { spec } = objects.find(({ kind }) => kind === 'Fleet')?.spec.template.spec.template ?? {}
    expect(kindsOf(objects)).toContain(`ConfigMap ${spec.containers[0].envFrom[0].configMapRef.name}`)
    expect(kindsOf(objects)).toContain(`ConfigMap ${spec.volumes.at(-1).configMap.name}`)
    expect(spec.containers[0].image).toBe('registry.example.com/gatehouse-realtime:0.2.0')
  })
})
