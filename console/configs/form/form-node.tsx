import { useState } from 'preact/hooks'
import { words } from '../../words.ts'
import {
  describeSchema,
  findChoices,
  findEntrySchema,
  findItemSchema,
  isSchema,
  listProperties,
  type Path,
  type Schema,
} from '../schema.ts'
import { AddEntry } from './add-entry.tsx'
import { TypedInput } from './typed-input.tsx'

/** Edits the text behind a form. */
export type FormActs = {
  readonly isReadOnly: boolean
  readonly write: (path: Path, value: unknown) => void
}

type NodeProps = {
  readonly schema: Schema
  readonly value: unknown
  readonly path: Path
  readonly acts: FormActs
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isSchema(value) ? value : {})
const isNested = (schema: Schema): boolean =>
  listProperties(schema).length > 0 || findEntrySchema(schema) !== undefined || findItemSchema(schema) !== undefined

/** The initial value of a new entry. */
export const emptyValue = (schema: Schema): unknown => {
  const [choice] = findChoices(schema) ?? []
  if (choice !== undefined) return choice
  if (findItemSchema(schema) !== undefined) return []
  if (schema.type === 'object') return {}
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return typeof schema.minimum === 'number' ? schema.minimum : 0
  return ''
}

/** The label of a list item: its name, if it has one. */
const titleOf = (value: unknown, at: number): string => {
  const { name, id } = recordOf(value)
  const title = name ?? id
  return typeof title === 'string' && title !== '' ? title : `${at + 1}`
}

const Remove = ({ label, path, acts }: { readonly label: string; readonly path: Path; readonly acts: FormActs }) =>
  acts.isReadOnly ? null : (
    <button type="button" class="plain" aria-label={words.configs.remove(label)} onClick={() => acts.write(path, undefined)}>
      ✕
    </button>
  )

type SectionProps = NodeProps & { readonly title: string; readonly isRemovable: boolean }

/** A collapsible part. Its content is rendered only when open, because a file can have hundreds of entries. */
const Section = ({ title, isRemovable, ...node }: SectionProps) => {
  const [isOpen, setOpen] = useState(false)
  const description = describeSchema(node.schema)
  return (
    <div class="form-section">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class={node.value === undefined ? 'quiet' : 'set'}>{title}</span>
        </summary>
        {isOpen && (
          <div class="form-inside">
            {description !== '' && <p class="quiet">{description}</p>}
            <FormNode {...node} />
          </div>
        )}
      </details>
      {isRemovable && <Remove label={title} path={node.path} acts={node.acts} />}
    </div>
  )
}

const Row = ({ title, isRemovable, schema, value, path, acts }: SectionProps) => {
  if (isNested(schema))
    return <Section title={title} isRemovable={isRemovable} schema={schema} value={value} path={path} acts={acts} />
  const description = describeSchema(schema)
  return (
    <div class="form-row">
      <div>
        <span class={value === undefined ? 'quiet' : 'set'}>{title}</span>
        {description !== '' && <small>{description}</small>}
      </div>
      <div class="form-input">
        <TypedInput
          label={title}
          schema={schema}
          value={value}
          isReadOnly={acts.isReadOnly}
          // A required entry stays, empty.
          change={(next) => acts.write(path, next === undefined && typeof path.at(-1) === 'number' ? '' : next)}
        />
        {isRemovable && <Remove label={title} path={path} acts={acts} />}
      </div>
    </div>
  )
}

const ListOf = ({ schema, value, path, acts }: NodeProps) => {
  const items = Array.isArray(value) ? value : []
  const of = findItemSchema(schema) ?? {}
  return (
    <>
      {items.map((item, at) => (
        <Row key={at} title={titleOf(item, at)} isRemovable schema={of} value={item} path={[...path, at]} acts={acts} />
      ))}
      {!acts.isReadOnly && (
        <button type="button" onClick={() => acts.write([...path, items.length], emptyValue(of))}>
          {words.configs.addItem}
        </button>
      )}
    </>
  )
}

const RecordOf = ({ value, path, acts, of }: NodeProps & { readonly of: Schema }) => (
  <>
    {Object.entries(recordOf(value)).map(([name, entry]) => (
      <Row key={name} title={name} isRemovable schema={of} value={entry} path={[...path, name]} acts={acts} />
    ))}
    {!acts.isReadOnly && (
      <AddEntry taken={Object.keys(recordOf(value))} add={(name) => acts.write([...path, name], emptyValue(of))} />
    )}
  </>
)

/** The fields of a value, by its schema. Keys that the schema does not list appear only in the text. */
export const FormNode = (props: NodeProps) => {
  const { schema, value, path, acts } = props
  if (findItemSchema(schema) !== undefined) return <ListOf {...props} />
  const of = findEntrySchema(schema)
  const known = listProperties(schema)
  const values = recordOf(value)
  return (
    <>
      {known.map(([name, child]) => (
        <Row
          key={name}
          title={name}
          isRemovable={isNested(child) && values[name] !== undefined}
          schema={child}
          value={values[name]}
          path={[...path, name]}
          acts={acts}
        />
      ))}
      {of !== undefined && <RecordOf {...props} of={of} />}
    </>
  )
}
