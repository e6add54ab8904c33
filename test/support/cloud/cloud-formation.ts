import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec'
import type { Template } from './cloud-template.ts'

type Type = {
  readonly type: string
  readonly element?: Type
  readonly types?: readonly Type[]
  readonly reference?: { readonly $ref: string }
}
type Property = { readonly type: Type; readonly required?: boolean }
type Properties = Readonly<Record<string, Property>>
type ResourceSpec = { readonly properties: Properties; readonly attributes: Readonly<Record<string, unknown>> }

/** CloudFormation's own description of its resources. */
const database = loadAwsServiceSpecSync()

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const nothing = (value: unknown): boolean => isObject(value) && value.Ref === 'AWS::NoValue'
/** Only AWS knows the type of the value that replaces an intrinsic function. */
const isFunction = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length === 1 && /^(Ref|Condition|Fn::\w+)$/.test(Object.keys(value)[0] ?? '')

const scalars: Readonly<Record<string, (text: string) => boolean>> = {
  string: () => true,
  integer: (text) => /^-?\d+$/.test(text),
  number: (text) => text !== '' && !Number.isNaN(Number(text)),
  boolean: (text) => text === 'true' || text === 'false',
}

const listFaults = (at: string, type: Type, value: unknown): readonly string[] => {
  if (isObject(value) && Array.isArray(value['Fn::If'])) return value['Fn::If'].slice(1).flatMap((v) => listFaults(at, type, v))
  if (nothing(value) || isFunction(value)) return []
  if (type.type === 'union') {
    const tries = (type.types ?? []).map((one) => listFaults(at, one, value))
    return tries.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  const isScalar = scalars[type.type]
  if (isScalar !== undefined) return !isObject(value) && isScalar(String(value)) ? [] : [`${at} is not of type ${type.type}`]
  const element = type.element ?? { type: 'json' }
  if (type.type === 'array')
    return Array.isArray(value) ? value.flatMap((v, i) => listFaults(`${at}[${i}]`, element, v)) : [`${at} is not a list`]
  if (type.type === 'map')
    return isObject(value)
      ? Object.entries(value).flatMap(([k, v]) => listFaults(`${at}.${k}`, element, v))
      : [`${at} is not a map`]
  if (type.type === 'ref')
    return listPropertyFaults(at, database.get('typeDefinition', type.reference?.$ref ?? '').properties ?? {}, value)
  return []
}

const listPropertyFaults = (at: string, properties: Properties, value: unknown): readonly string[] => {
  if (!isObject(value)) return [`${at} is not an object`]
  const lacking = Object.keys(properties).filter((key) => properties[key]?.required === true && !(key in value))
  const wrong = Object.entries(value).flatMap(([key, inner]) => {
    const property = properties[key]
    return property === undefined ? [`${at}.${key} does not exist`] : listFaults(`${at}.${key}`, property.type, inner)
  })
  return [...lacking.map((key) => `${at} lacks ${key}`), ...wrong]
}

const specOf = (type: string): ResourceSpec | undefined => database.lookup('resource', 'cloudFormationType', 'equals', type)[0]

/** Lists types, properties and attributes of a template that do not match CloudFormation's description of its resources. */
export const listTemplateFaults = (template: Template): readonly string[] => {
  const faults = Object.entries(template.Resources).flatMap(([name, { Type, Properties }]) => {
    const spec = specOf(Type)
    return spec === undefined ? [`${name}: ${Type} does not exist`] : listPropertyFaults(name, spec.properties, Properties ?? {})
  })
  const asked: [string, string][] = []
  JSON.stringify(template.Resources, (key, value) => {
    if (key === 'Fn::GetAtt') {
      const [name, ...attribute] = [value].flat().flatMap((part) => String(part).split('.'))
      asked.push([name ?? '', attribute.join('.')])
    }
    if (key === 'Fn::Sub')
      for (const [, name = '', attribute = ''] of String([value].flat()[0]).matchAll(/\$\{(\w+)\.([\w.]+)\}/g))
        asked.push([name, attribute])
    return value
  })
  const unknown = asked.filter(([name, attribute]) => {
    const spec = specOf(template.Resources[name]?.Type ?? '')
    return spec === undefined || !(attribute in spec.attributes)
  })
  return [...faults, ...unknown.map(([name, attribute]) => `${name} has no attribute ${attribute}`)]
}
