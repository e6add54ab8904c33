import { AppError } from '../../kernel/errors.ts'

/** Why DynamoDB cannot do what a data folder can, with the command to run. */
const elsewhere = (detail: string): AppError => new AppError('conflict', 'managed-elsewhere', detail)

export const deletedElsewhere = (name: string): AppError =>
  elsewhere(
    `DynamoDB has no trash folder: keep the world with npm run world -- export ${name} FILE, then delete it for good with npm run world -- delete ${name} --now.`,
  )

export const renamedElsewhere = (from: string, to: string): AppError =>
  elsewhere(
    `In DynamoDB each column lies under the name of its world: npm run world -- export ${from} FILE, then import FILE ${to}. Zones, history and places of players do not go along.`,
  )

export const exportedElsewhere = (name: string): AppError =>
  elsewhere(`With DynamoDB a world is exported on the command line: npm run world -- export ${name} FILE.`)
