import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { allRoutes } from '../../../../functions/all-routes.ts'
import { createReferences } from '../../../../functions/http/openapi/schema-references.ts'
import { schemaNames } from '../../../../functions/schema-names.ts'
import { describeApi } from '../../../../functions/service/describe-api.ts'

const document = JSON.parse(JSON.stringify(await describeApi(async () => allRoutes, 'http://127.0.0.1')))

type Json = Readonly<Record<string, unknown>>

/** Every object in a document, at any depth. */
const objectsIn = (value: unknown): readonly Json[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inside : [{ ...value }, ...inside]
}

const everyObject = objectsIn(document)

describe('the API description', () => {
  it('keeps the name of every operation', () => {
    const list = new URL('./operation-ids.json', import.meta.url)
    const addresses = Object.fromEntries(
      allRoutes.map(({ operationId, method, path }) => [operationId, `${method.toUpperCase()} ${path}`] as const),
    )
    // Generated clients have these names. Add a new route to the list; never rename one that clients know.
    expect(addresses).toEqual(JSON.parse(readFileSync(list, 'utf8')))
    expect(Object.keys(addresses)).toHaveLength(allRoutes.length)
  })

  it('names operations by a verb and a noun', () => {
    for (const { operationId } of allRoutes) expect(operationId).toMatch(/^[a-z]+([A-Z][a-z]*)*$/)
  })

  it('states the permission of every operation', () => {
    for (const { path, method, permission } of allRoutes)
      expect(document.paths[path.replaceAll(/[:*](\w+)/g, '{$1}')][method]['x-permission']).toBe(permission)
  })

  it('has a component for every reference', () => {
    const references = new Set(everyObject.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])))
    expect(references.size).toBeGreaterThan(Object.keys(schemaNames).length / 2)
    for (const reference of references)
      expect(
        reference
          .split('/')
          .slice(1)
          .reduce((part, key) => part?.[key], document),
      ).toBeDefined()
  })

  it('uses every named schema, each under one name', () => {
    const used = new Set(everyObject.map(({ $ref }) => $ref))
    for (const name of Object.keys(schemaNames)) expect([name, used.has(`#/components/schemas/${name}`)]).toEqual([name, true])
  })

  it('has no pattern that means something else without the flag u', () => {
    const patterns = everyObject.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []))
    expect(patterns.length).toBeGreaterThan(3)
    expect(patterns.filter((pattern) => /\\[pPu]\{/.test(pattern))).toEqual([])
  })

  it('names a contact', () => {
    expect(document.info.contact).toEqual({ name: 'The operators of this server', url: 'http://127.0.0.1' })
  })

  it('lists the values of a choice between texts as enum', () => {
    const ofConsts = everyObject.filter(
      ({ anyOf }) => Array.isArray(anyOf) && anyOf.every((one: Json) => typeof one.const === 'string'),
    )
    expect(ofConsts).toEqual([])
  })

  it('has a discriminator for each union of objects that share a constant, and names all others', () => {
    const isObject = ({ $ref, type }: Json) => $ref !== undefined || type === 'object'
    const unions = everyObject.flatMap(({ anyOf, oneOf, discriminator }) => {
      const members = ((anyOf ?? oneOf ?? []) as readonly Json[]).filter(isObject)
      if (members.length < 2) return []
      const names = members.map(({ $ref = 'no name' }) => String($ref).replace('#/components/schemas/', '')).join(' | ')
      return [discriminator === undefined ? names : `${names} by ${(discriminator as Json).propertyName}`]
    })
    expect([...new Set(unions)].sort()).toEqual([
      // The query `details` decides. The keys of the first are names of classes, so it cannot have a constant.
      'ClassUnlocks | ClassDetails',
      // An entry of `classes.yaml` in short: the key is the kind.
      'GrantedAttack | GrantedSpell',
      'PregenJob | RollbackJob | SnapshotJob | RestoreJob | BackupJob | BackupVerifyJob | ImportWorldJob by kind',
      // The query `dryRun` decides.
      'SavedConfig | ConfigDryRun',
      // A body with a place or a player, as in the command `/tp`.
      'TeleportPlace | TeleportToPlayer',
      // The query `dryRun` decides.
      'Undone | UndoDryRun',
    ])
  })

  it('has types for the values of records', () => {
    expect(everyObject.filter(({ patternProperties }) => Object.keys(patternProperties ?? {}).includes('^(.*)$'))).toEqual([])
  })
})

describe('references to named schemas', () => {
  const Dog = Type.Object({ name: Type.String() }, { description: 'A dog.' })
  const { refer, components } = createReferences({ Dog, Pack: Type.Object({ dogs: Type.Array(Dog) }) })
  const reference = { $ref: '#/components/schemas/Dog' }

  it('replace equal schemas at any depth', () => {
    expect(refer(Dog)).toEqual(reference)
    expect(refer(Type.Object({ dog: Type.Optional(Dog) }))).toEqual({ type: 'object', properties: { dog: reference } })
    expect(refer(Type.Record(Type.String(), Dog))).toEqual({ type: 'object', additionalProperties: reference })
    expect(refer(Type.Union([Dog, Type.Null()]))).toEqual({ anyOf: [reference, { type: 'null' }] })
    expect(components.Pack).toMatchObject({ properties: { dogs: { type: 'array', items: reference } } })
  })

  it('discriminate a union by the constant that each named member requires', () => {
    const Cat = Type.Object({ kind: Type.Literal('cat'), sound: Type.Literal('meow') })
    const Cow = Type.Object({ kind: Type.Literal('cow'), sound: Type.Literal('moo') })
    const Kitten = Type.Object({ kind: Type.Literal('cat') })
    const named = createReferences({ Cat, Cow, Kitten })
    expect(named.refer(Type.Union([Cat, Cow]))).toEqual({
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Cow' }],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', cow: '#/components/schemas/Cow' } },
    })
    expect(named.refer(Type.Union([Cat, Kitten]))).toMatchObject({ anyOf: [{}, {}] })
    expect(createReferences({ Cat }).refer(Type.Union([Cat, Cow]))).toMatchObject({ anyOf: [{}, {}] })
    expect(named.refer(Type.Union([Cat, Type.Partial(Cow)]))).toMatchObject({ anyOf: [{}, {}] })
  })

  it('keep the description of one use', () => {
    expect(refer({ ...Dog, description: 'Your dog.' })).toEqual({ ...reference, description: 'Your dog.' })
  })

  it('do not replace a schema with another rule', () => {
    expect(refer({ ...Dog, minProperties: 1 })).toMatchObject({ type: 'object', minProperties: 1 })
  })
})
