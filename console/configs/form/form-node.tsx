import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Described } from '../../parts/described.tsx'
import type { Fault } from '../dry-run.ts'
import {
  describeDefault,
  describeSchema,
  findChoices,
  findEntrySchema,
  findItemSchema,
  isSchema,
  listProperties,
  type Path,
  type Schema,
} from '../schema.ts'
import { pointerOf, titleOfItem, titleOfKey } from '../schema-titles.ts'
import { words } from '../words.ts'
import { AddEntry } from './add-entry.tsx'
import { TypedInput } from './typed-input.tsx'

/** Edits the text behind a form. */
export type FormActs = {
  readonly isReadOnly: boolean
  readonly faults: readonly Fault[]
  readonly write: (path: Path, value: unknown) => void
  /** The section or field to show. */
  readonly opened: Opened | undefined
}

/** A JSON Pointer. Each choice of a user is a new object, so that the same field is shown again. */
export type Opened = { readonly pointer: string }

type NodeProps = {
  readonly schema: Schema
  readonly value: unknown
  readonly path: Path
  readonly acts: FormActs
}

/** A section with at most this many keys, none of them nested, is open. */
const openKeysMax = 4
/** A longer list gets a search field. */
const searchedMin = 12

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isSchema(value) ? value : {})
const isNested = (schema: Schema): boolean =>
  listProperties(schema).length > 0 || findEntrySchema(schema) !== undefined || findItemSchema(schema) !== undefined

const isShort = (schema: Schema): boolean => {
  const known = listProperties(schema)
  return known.length > 0 && known.length <= openKeysMax && known.every(([, child]) => !isNested(child))
}

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

/** Whether the file has a value that differs from the default. */
const isChanged = (schema: Schema, value: unknown): boolean => {
  if (value === undefined) return false
  if (isNested(schema) && listProperties(schema).length > 0)
    return listProperties(schema).some(([name, child]) => isChanged(child, recordOf(value)[name]))
  return JSON.stringify(value) !== JSON.stringify(schema.default)
}

const Remove = ({ label, path, acts }: { readonly label: string; readonly path: Path; readonly acts: FormActs }) =>
  acts.isReadOnly ? null : (
    <button type="button" class="plain" aria-label={words.configs.remove(label)} onClick={() => acts.write(path, undefined)}>
      ✕
    </button>
  )

/** The faults of a value; `id` is for the description of its field. */
const Faults = ({ id, of }: { readonly id?: string; readonly of: readonly Fault[] }) =>
  of.length === 0 ? null : (
    <div id={id}>
      {of.map(({ message }) => (
        <p key={message} class="form-fault bad-text">
          {message}
        </p>
      ))}
    </div>
  )

const isAt = (pointer: string) => (fault: Fault) => fault.pointer === pointer

type SectionProps = NodeProps & {
  readonly title: string
  readonly isRemovable: boolean
  readonly isFirstLevel?: boolean
}

const Dot = () => <span class="set-dot" role="img" aria-label={words.configs.differs} title={words.configs.differs} />

/** A collapsible part. Its content is rendered only when open, because a file can have hundreds of entries. */
const Section = ({ title, isRemovable, isFirstLevel = false, ...node }: SectionProps) => {
  const { schema, value, path, acts } = node
  const pointer = pointerOf(path)
  const hasFault = acts.faults.some((fault) => fault.pointer?.startsWith(pointer))
  const isOpened = acts.opened?.pointer === pointer
  const isWanted = isOpened || acts.opened?.pointer.startsWith(`${pointer}/`) === true
  const [isOpen, setOpen] = useState(isFirstLevel || isShort(schema) || hasFault || isWanted)
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isWanted) setOpen(true)
    if (isOpened) ref.current?.scrollIntoView({ block: 'center' })
  }, [acts.opened])
  const described = describeSchema(schema)
  // "Sign-in." below "Sign-in" says nothing.
  const description = described === `${title}.` ? '' : described
  return (
    <div ref={ref} class={isFirstLevel ? 'form-section first' : 'form-section'}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="form-title">{title}</span>
          {isChanged(schema, value) && <Dot />}
          {Array.isArray(value) && <span class="quiet">{words.configs.count(value.length)}</span>}
        </summary>
        {isOpen && (
          <div class="form-inside">
            {description !== '' && (
              <p class="quiet">
                <Described text={description} />
              </p>
            )}
            <Faults of={acts.faults.filter(isAt(pointer))} />
            <FormNode {...node} />
          </div>
        )}
      </details>
      {isRemovable && <Remove label={title} path={path} acts={acts} />}
    </div>
  )
}

/** Sets a value back to its default. */
const Reset = ({ title, schema, path, acts }: Omit<SectionProps, 'isRemovable' | 'value'>) => {
  const fallback = describeDefault(schema)
  const shown = schema.default === true ? words.configs.on : schema.default === false ? words.configs.off : fallback
  return (
    <button type="button" class="link" aria-label={words.configs.resetOf(title)} onClick={() => acts.write(path, undefined)}>
      {shown === '' ? words.configs.clear : words.configs.reset(shown)}
    </button>
  )
}

const Row = (props: SectionProps) => {
  const { title, isRemovable, schema, value, path, acts } = props
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const pointer = pointerOf(path)
  const faults = acts.faults.filter(isAt(pointer))
  const isInvalid = faults.length > 0
  useEffect(() => {
    // The list of faults may have appeared above the field of this row.
    if (isInvalid && ref.current?.contains(document.activeElement)) ref.current.scrollIntoView({ block: 'nearest' })
  }, [isInvalid])
  useEffect(() => {
    if (acts.opened?.pointer === pointer) ref.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [acts.opened])
  if (isNested(schema)) return <Section {...props} />
  const description = describeSchema(schema)
  const ids = [description !== '' && id, isInvalid && `${id}-fault`].filter(Boolean).join(' ')
  const differs = typeof path.at(-1) === 'string' && isChanged(schema, value)
  return (
    <div ref={ref} class="form-row">
      <div>
        <span class="form-title">{title}</span>
        {differs && <Dot />}
        {description !== '' && (
          <small id={id}>
            <Described text={description} />
          </small>
        )}
      </div>
      <div class="form-value">
        <div class="form-input">
          <TypedInput
            label={title}
            {...(ids !== '' && { describedBy: ids })}
            isInvalid={isInvalid}
            schema={schema}
            value={value}
            isReadOnly={acts.isReadOnly}
            // A required entry stays, empty.
            change={(next) => acts.write(path, next === undefined && typeof path.at(-1) === 'number' ? '' : next)}
          />
          {isRemovable && <Remove label={title} path={path} acts={acts} />}
        </div>
        <Faults id={`${id}-fault`} of={faults} />
        {differs && !acts.isReadOnly && !isRemovable && <Reset title={title} schema={schema} path={path} acts={acts} />}
      </div>
    </div>
  )
}

type Entry = { readonly key: string; readonly title: string; readonly value: unknown; readonly path: Path }

/** The entries of a list or a record, with a search field if there are many. */
const Entries = ({ of, entries, acts }: { readonly of: Schema; readonly entries: readonly Entry[]; readonly acts: FormActs }) => {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = entries.filter(({ title }) => title.toLowerCase().includes(wanted))
  return (
    <>
      {entries.length >= searchedMin && (
        <input
          type="search"
          class="form-search"
          aria-label={words.configs.findEntry}
          placeholder={words.configs.findEntry}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {shown.map(({ key, title, value, path }) => (
        <Row key={key} title={title} isRemovable schema={of} value={value} path={path} acts={acts} />
      ))}
      {shown.length === 0 && entries.length > 0 && <p class="quiet">{words.configs.noEntry}</p>}
    </>
  )
}

const ListOf = ({ schema, value, path, acts }: NodeProps) => {
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const of = findItemSchema(schema) ?? {}
  const entries = items.map((item, at) => ({ key: String(at), title: titleOfItem(item, at), value: item, path: [...path, at] }))
  return (
    <>
      <Entries of={of} entries={entries} acts={acts} />
      {!acts.isReadOnly && (
        <button type="button" onClick={() => acts.write([...path, items.length], emptyValue(of))}>
          {words.configs.addItem}
        </button>
      )}
    </>
  )
}

const RecordOf = ({ schema, value, path, acts, of }: NodeProps & { readonly of: Schema }) => {
  const listed = new Set(listProperties(schema).map(([name]) => name))
  const others = Object.entries(recordOf(value)).filter(([name]) => !listed.has(name))
  const entries = others.map(([name, entry]) => ({
    key: name,
    title: name,
    value: entry,
    path: [...path, name],
  }))
  return (
    <>
      <Entries of={of} entries={entries} acts={acts} />
      {!acts.isReadOnly && (
        <AddEntry
          taken={[...listed, ...others.map(([name]) => name)]}
          add={(name) => acts.write([...path, name], emptyValue(of))}
        />
      )}
    </>
  )
}

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
          title={titleOfKey(schema, name, child)}
          // A section with a default cannot be absent.
          isRemovable={isNested(child) && values[name] !== undefined && !('default' in child)}
          isFirstLevel={path.length === 0}
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
