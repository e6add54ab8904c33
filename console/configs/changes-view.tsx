import { ChangeTable } from './change-table.tsx'
import { readValues } from './config-document.ts'
import type { DryRun } from './dry-run.ts'
import { LazyTextDifference } from './editor/lazy-editors.tsx'
import type { Schema } from './schema.ts'
import { words } from './words.ts'

type Props = {
  readonly saved: string
  readonly text: string
  /** Undefined while the server checks the draft. */
  readonly dry: DryRun | undefined
  readonly schema: Schema
}

const valuesOf = (text: string): unknown => readValues(text)?.values

/** The changes of a draft, as sentences and as text. */
export const ChangesView = ({ saved, text, dry, schema }: Props) =>
  text === saved ? (
    <p class="empty">{words.configs.noChanges}</p>
  ) : (
    <>
      {dry !== undefined && <ChangeTable of={dry} schema={schema} before={valuesOf(saved)} after={valuesOf(text)} />}
      <LazyTextDifference text={text} original={saved} label={words.configs.difference} />
    </>
  )
