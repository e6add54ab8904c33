import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { TSchema } from '@sinclair/typebox'
import { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import { readConstants } from '../support/pages/constants.ts'
import { readPage, readRows } from '../support/pages/markdown.ts'

const root = resolve(import.meta.dirname, '../..')
const rows = readRows(readPage('operations/limits.md'))
const settings = rows.filter((cells) => cells.length === 3)
const constants = rows.filter((cells) => cells.length === 4)

/** Every number in `server.yaml` by its key, with its default. */
const listNumbers = (schema: TSchema, path = ''): readonly (readonly [string, number])[] => {
  if (schema.type === 'integer') return [[path, Number(schema.default)]]
  const properties: Readonly<Record<string, TSchema>> = schema.properties ?? {}
  return Object.entries(properties).flatMap(([key, inner]) => listNumbers(inner, path === '' ? key : `${path}.${key}`))
}

/** Internal bounds that no user reaches: attempts, page sizes, formats, terrain, lengths of reported lists. */
const within = [
  ...['attemptsMax', 'triesMax', 'roundsMax', 'batchMax', 'batchesMax', 'pageMax', 'pageLimit', 'listPageLimit', 'keysMax'],
  ...['commitMax', 'writesMax', 'listLimitMax', 'idBytesMax', 'transactionWritesMax', 'transactionBytesMax'],
  ...['deflatedBytesMax', 'plainBytesMax', 'storedBytesMax', 'setAsideNumberMax', 'recentMax', 'blockMax', 'horizontalLimit'],
  ...['unevennessMax', 'riseMax', 'wordsMax', 'loopBytesMax', 'rangesMax', 'piecesMax', 'shortMax', 'pauseMsMax'],
  ...[
    'listedMax',
    'namedMax',
    'namesMax',
    'groupsMax',
    'unknownMax',
    'pointersMax',
    'pointerCharsMax',
    'cachedShiftsMax',
    'slotsMax',
  ],
]
/** Internal bounds whose name is that of a limit elsewhere. */
const withinHere = [
  'shared/domain/configs/groups/unknown-permissions.ts faultsMax',
  'shared/domain/undo/undo-service.ts searchedMax',
  'shared/domain/api-tokens/api-tokens.ts cachedMax',
  'shared/domain/backups/lmdb/start-copy.ts complaintCharsMax',
  'shared/domain/worlds/generation/terrain/land-shape.ts heightMax',
  'shared/domain/worlds/store/dynamodb/changes.ts columnsMax',
  'realtime/world/columns/column-generation.ts columnsMax',
  'shared/domain/configs/reading/parse-config.ts faultsMax',
  'shared/domain/accounts/store/users-file/users-document-reader.ts inlineLengthMax',
  'shared/domain/world-moves/files/import/record-batches.ts recordsMax',
  'shared/domain/world-moves/files/import/record-batches.ts bytesMax',
]

describe('the limits of docs/operations/limits.md', () => {
  it('include every limit of server.yaml with its default', () => {
    expect(settings.map(([key = '', value]) => [key.replaceAll('`', ''), Number(value)])).toEqual(listNumbers(ServerConfig))
  })

  it.each(constants)('match the constants in the code: %s, %s, %s', (_limit, value = '', where = '') => {
    const [, name = '', path = ''] = /^`(\w+)` in `([\w./-]+)`$/.exec(where) ?? []
    expect(readConstants(path).get(name)).toBe(Number(value.replaceAll(',', '')))
  })

  it('include every limit constant in the code that a user can reach', () => {
    const listed = constants.map(([, , where = '']) => /^`(\w+)` in `([\w./-]+)`$/.exec(where)?.slice(1, 3).reverse().join(' '))
    const files = ['functions', 'realtime', 'shared'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
    )
    const all = files.flatMap((path) =>
      [...readConstants(path).keys()].filter((name) => /(Max|Limit|MaxMiB)$/.test(name)).map((name) => `${path} ${name}`),
    )
    expect(all.length).toBeGreaterThan(100)
    const documented = new Set([...listed, ...withinHere])
    expect(all.filter((entry) => !documented.has(entry) && !within.includes(entry.split(' ')[1] ?? ''))).toEqual([])
    expect(withinHere.filter((entry) => !all.includes(entry))).toEqual([])
  })

  it('each say what they protect', () => {
    for (const cells of rows) expect(cells.at(-1)?.length).toBeGreaterThan(3)
  })
})
