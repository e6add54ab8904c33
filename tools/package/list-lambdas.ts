import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The names of all functions: the folders of functions/ with a handler. */
export const listLambdas = (): readonly string[] =>
  readdirSync(join(root, 'functions'))
    .filter((name) => existsSync(join(root, 'functions', name, 'handler.ts')))
    .sort()
