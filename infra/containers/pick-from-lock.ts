import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Names = Type.Optional(Type.Record(Type.String(), Type.String()))

const LockedPackage = Type.Object({
  version: Type.Optional(Type.String()),
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
  peerDependenciesMeta: Type.Optional(Type.Record(Type.String(), Type.Object({ optional: Type.Optional(Type.Boolean()) }))),
})
type LockedPackage = Static<typeof LockedPackage>

const Lock = Type.Object({
  name: Type.String(),
  version: Type.String(),
  lockfileVersion: Type.Literal(3),
  packages: Type.Record(Type.String(), LockedPackage),
})
type Packages = Static<typeof Lock>['packages']

/** Where Node finds package `name` from the package at `from`: in its own node_modules, or in one further up. */
const locate = (packages: Packages, from: string, name: string): string | undefined => {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (path in packages) return path
    if (at === '') return undefined
  }
}

const listNeeds = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockedPackage) => [
  ...Object.keys(dependencies ?? {}).map((name) => ({ name, isOptional: optionalDependencies?.[name] !== undefined })),
  ...Object.keys(optionalDependencies ?? {}).map((name) => ({ name, isOptional: true })),
  ...Object.keys(peerDependencies ?? {}).map((name) => ({ name, isOptional: peerDependenciesMeta?.[name]?.optional === true })),
]

/**
 * Extracts from the lock file `text` a `package.json` and a `package-lock.json` of only `names` and their dependencies, with
 * the same versions and hashes: `npm ci` installs the same files as with the whole lock file. Throws for a missing package.
 */
export const pickFromLock = (text: string, names: readonly string[]) => {
  const lock: unknown = JSON.parse(text)
  // Checked but not parsed, because parsing would drop the hashes and the target machines of packages.
  if (!Value.Check(Lock, lock)) throw new Error('package-lock.json is not a lock file of version 3')
  const { name, version, lockfileVersion, packages } = lock
  const picked = new Set<string>()
  const pick = (from: string, wanted: string, isOptional: boolean): void => {
    const path = locate(packages, from, wanted)
    const found = path === undefined ? undefined : packages[path]
    if (path === undefined || found === undefined) {
      if (isOptional) return
      throw new Error(`${wanted}, which ${from || 'the image'} needs, is not in package-lock.json`)
    }
    if (picked.has(path)) return
    picked.add(path)
    for (const need of listNeeds(found)) pick(path, need.name, need.isOptional)
  }
  for (const wanted of names) pick('', wanted, false)
  const dependencies = Object.fromEntries(names.map((wanted) => [wanted, packages[`node_modules/${wanted}`]?.version ?? '']))
  const manifest = { name, version, private: true, type: 'module', dependencies }
  const entries = [...picked].sort().map((path) => [path, packages[path]] as const)
  return {
    manifest,
    lock: {
      name,
      version,
      lockfileVersion,
      requires: true,
      packages: { '': { name, version, dependencies }, ...Object.fromEntries(entries) },
    },
  }
}
