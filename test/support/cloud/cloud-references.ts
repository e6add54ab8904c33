import type { Template } from './cloud-template.ts'

/** Lists names that a template refers to and does not define. */
export const listMissing = (template: Template): readonly string[] => {
  const known = new Set([...Object.keys(template.Resources), ...Object.keys(template.Parameters)])
  const missing: string[] = []
  const need = (name: string, locals: readonly string[] = []) => {
    if (!known.has(name) && !locals.includes(name) && !name.startsWith('AWS::')) missing.push(name)
  }
  const needOfText = (text: unknown, locals: readonly string[]) => {
    for (const [, name = ''] of String(text).matchAll(/\$\{([\w:]+)[\w.]*\}/g)) need(name, locals)
  }
  const needCondition = (name: unknown) => {
    if (!Object.keys(template.Conditions).includes(String(name))) missing.push(`condition ${name}`)
  }
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === 'Ref') need(String(value))
      else if (key === 'Fn::GetAtt') need(String(Array.isArray(value) ? value[0] : value).split('.')[0] ?? '')
      else if (key === 'Fn::Sub' && Array.isArray(value)) needOfText(value[0], Object.keys(value[1]))
      else if (key === 'Fn::Sub') needOfText(value, [])
      else if (key === 'Fn::If') needCondition(value[0])
      walk(value)
    }
  }
  walk(template.Resources)
  for (const { DependsOn = [], Condition } of Object.values(template.Resources)) {
    for (const name of [DependsOn].flat()) need(name)
    if (Condition !== undefined) needCondition(Condition)
  }
  return missing
}
