import { AppError } from '../../kernel/errors.ts'

/** The refusal of an operation that DynamoDB does not support, with the command to use instead. */
const elsewhere = (detail: string): AppError => new AppError('conflict', 'managed-elsewhere', detail)

export const deletedElsewhere = (name: string): AppError =>
  elsewhere(
    `DynamoDB has no trash folder. Export the world with npm run world -- export ${name} FILE, then delete it permanently with npm run world -- delete ${name} --now.`,
  )

export const renamedElsewhere = (from: string, to: string): AppError =>
  elsewhere(
    `In DynamoDB a world cannot be renamed. Copy it with npm run world -- export ${from} FILE, then import FILE ${to}. Zones, history and positions of players are not copied.`,
  )

export const exportedElsewhere = (name: string): AppError =>
  elsewhere(`With DynamoDB, export the world on the command line: npm run world -- export ${name} FILE.`)

export const importedElsewhere = (name: string): AppError =>
  elsewhere(`With DynamoDB, import the file on the command line: npm run world -- import FILE ${name}.`)

export const restoredElsewhere = (): AppError =>
  elsewhere(
    'DynamoDB has no trash folder, so a deleted world cannot be restored. Import its exported file: npm run world -- import FILE NAME.',
  )
