import { tell } from '../../parts/toasts.tsx'
import { readValues, writeValue } from '../config-document.ts'
import type { Fault } from '../dry-run.ts'
import type { Path, Schema } from '../schema.ts'
import { words } from '../words.ts'
import { FormNode, type Opened } from './form-node.tsx'

type Props = {
  readonly text: string
  readonly schema: Schema
  readonly faults: readonly Fault[]
  readonly isReadOnly: boolean
  readonly change: (text: string) => void
  /** The section or field to show. */
  readonly opened: Opened | undefined
}

/** The document as a form. Keeps comments and keys that the schema does not list. */
export const FormView = ({ text, schema, faults, isReadOnly, change, opened }: Props) => {
  const read = readValues(text)
  if (read === undefined) return <p class="box box-warn">{words.configs.notReadable}</p>
  const write = (path: Path, value: unknown) => {
    try {
      change(writeValue(text, path, value))
    } catch {
      // For example a YAML alias, which refers to a value elsewhere.
      tell(words.configs.onlyAsText)
    }
  }
  return (
    <div class="form">
      <FormNode schema={schema} value={read.values} path={[]} acts={{ isReadOnly, faults, write, opened }} />
    </div>
  )
}
