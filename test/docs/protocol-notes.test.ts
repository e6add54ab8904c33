import { describe, expect, it } from '@jest/globals'
import { cellBlocks } from '../../realtime/interest/cells.ts'
import { costOf } from '../../realtime/messages/handle-message.ts'
import { type ClientMessageKind, protocolVersion } from '../../realtime/protocol/messages.ts'
import { bannedBecause, closeGraceMs, closings, goingAway, kickedBecause } from '../../realtime/socket/closing.ts'
import { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import { bodyHeight, bodySides } from '../../shared/rules/movement/body-extent.ts'
import { usualMovement } from '../../shared/rules/movement/move-budget.ts'
import { eyeHeight, reachBlocks } from '../../shared/rules/movement/reach.ts'
import { worldHeight } from '../../shared/rules/positions.ts'
import { readConstants } from '../support/pages/constants.ts'
import { readPage, readRows, readSection } from '../support/pages/markdown.ts'

const page = readPage('protocol-notes.md')
const write = (value: number): string => value.toLocaleString('en-US')
const constant = (path: string, name: string): number => {
  const value = readConstants(path).get(name)
  if (value === undefined) throw new Error(`${path} has no constant ${name}`)
  return value
}
const setting = (name: keyof typeof ServerConfig.properties.realtime.properties): number =>
  ServerConfig.properties.realtime.properties[name].default

const speed = (name: string) => constant('shared/rules/movement/move-budget.ts', name)
const pingSeconds = constant('realtime/node/server.ts', 'pingEveryMs') / 1000
const missedPongs = constant('realtime/socket/heartbeats.ts', 'missedPongsMax')
const beforeSession = 'realtime/socket/messages-before-session.ts'
const overdraft = (name: string) => constant('realtime/socket/message-budget.ts', name)
const streaming = (name: string) => constant('realtime/world/streaming/chunk-streaming.ts', name)
const tolerance = 1 / 64

/** Phrases of the page, built from the constants in the code. */
const phrases: readonly (readonly [string, string])[] = [
  ['Sign in and connect', `opens a connection for ${constant('shared/domain/tokens/tokens.ts', 'tokenTtlSeconds') / 60} minutes`],
  ['Sign in and connect', `\`protocol_version\` ${protocolVersion} as the first message`],
  [
    'Sign in and connect',
    `within ${setting('connectTimeoutMs') / 1000} s\\* and in at most ${constant('realtime/socket/player-connection.ts', 'firstMessageBytesMax') / 1024} KiB`,
  ],
  [
    'Sign in and connect',
    `at most ${constant(beforeSession, 'waitingMax')} messages and ${constant(beforeSession, 'beforeSessionBytesMax') / 1024} KiB in total`,
  ],
  ['Sign in and connect', `| 429 | ${setting('waitingPerAddress')}\\* connections of this address`],
  ['Pings', `a WebSocket ping every ${pingSeconds} s.`],
  ['Pings', `may stay silent for ${pingSeconds * missedPongs} s after a ping`],
  ['Limits', `| Bytes of a message | ${write(setting('maxMessageBytes'))}\\* |`],
  ['Limits', `refills with ${setting('messagesPerSecond')}\\* a second, holds up to ${setting('messageBurst')}\\* |`],
  ['Limits', `| ${constant('realtime/world/edits/world-edits.ts', 'editsMax')} |`],
  ['Limits', `| Characters of a chat line or a command | ${constant('realtime/messages/chat.ts', 'charactersMax')} |`],
  ['Limits', `| Commands that run at the same time | ${constant('realtime/messages/run-command.ts', 'inFlightMax')} |`],
  ['Limits', `| Bytes that may wait for a slow client | ${write(setting('outgoingBufferBytes'))}\\* |`],
  ['Limits', `at most ${setting('viewRadius')}\\* |`],
  ['The body and its speed', `${write(2 * (bodySides.above + tolerance))} blocks wide`],
  ['The body and its speed', `${write(bodyHeight.above + tolerance)} high; the eyes are ${eyeHeight} above the feet`],
  ['The body and its speed', `${speed('horizontalSpeed')} blocks a second horizontally, ${speed('verticalSpeed')} vertically`],
  ['The body and its speed', `up to ${speed('horizontalBurst')} blocks horizontally and ${speed('verticalBurst')} vertically`],
  [
    'The body and its speed',
    `from −${write(speed('horizontalLimit'))} to ${write(speed('horizontalLimit'))}, \`y\` from 0 to ${speed('heightMax')}`,
  ],
  ['The body and its speed', `from \`y\` 0 to ${worldHeight - 1}`],
  ['The body and its speed', `at most ${reachBlocks} blocks from the eyes`],
  ['What blocks a move', `may overlap a block by 1/${1 / bodyHeight.below}`],
  [
    'What blocks a move',
    `rise by up to ${constant('shared/rules/movement/move-through-blocks.ts', 'riseMax')} blocks with one \`Move\``,
  ],
  ['Order of answers', `${setting('tickRate')}\\* times a second`],
  ['Close codes', `The server waits ${closeGraceMs / 1000} s`],
  ['Text frames', `up to ${write(constant('realtime/protocol/json-frames.ts', 'tokensMax'))} brackets`],
  ['Moving', `It comes once a second`],
  ['Sign in and connect', `up to ${constant('realtime/socket/web-socket-port.ts', 'fragmentsMax')} fragments`],
  ['Limits', `more than ${overdraft('floodMs') / 1000} s without a pause of a second`],
  [
    'Limits',
    `is ${overdraft('thousandthsMin') / 1000} and ten seconds of the budget, ${(overdraft('thousandthsMin') + overdraft('floodMs') * setting('messagesPerSecond')) / 1000}\\* in total`,
  ],
  ['Limits', `1 more for each ${write(overdraft('bytesPerToken'))} bytes`],
  ['The body and its speed', `a gravity of ${usualMovement.gravity} blocks/s²`],
  [
    'The body and its speed',
    `${usualMovement.walkSpeed} blocks a second for walking, ${usualMovement.runSpeed} for running and ${usualMovement.flySpeed} for flying`,
  ],
  ['The body and its speed', `a jump of ${usualMovement.jumpHeight} blocks`],
  ['Positions of players', `in steps of ${constant('realtime/interest/cell-moves.ts', 'entryBytes')} bytes`],
  ['Positions of players', `exact to 1/${2 * constant('realtime/interest/cell-moves.ts', 'unitsPerBlock')} block`],
  ['Positions of players', `cells of ${cellBlocks} blocks`],
  ['Positions of players', `up to \`viewRadius / ${cellBlocks / 16}\` cells away`],
  ['Positions of players', `within ${constant('realtime/interest/cells.ts', 'cellBlocks')} blocks of you come in every tick`],
  ['Reading a Chunk', `up to ${streaming('columnsPerTick')} columns or ${streaming('bytesPerTick') / 1024} KiB to a client`],
  ['Losing the connection', `within \`resumeSeconds\` (${setting('resumeSeconds')}\\*)`],
  ['Losing the connection', `(up to ${constant('realtime/socket/closing.ts', 'spreadMsMax')})`],
]

const position = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0 }
const edits = (count: number) => Array.from({ length: count }, (_, x) => ({ x, y: 0, z: 0, type: 'stone' }))
const messages: readonly ClientMessageKind[] = [
  { $case: 'move', value: { seq: 1, ...position } },
  { $case: 'ping', value: { nonce: 1 } },
  { $case: 'disconnect', value: {} },
  { $case: 'chat', value: { text: 'hello' } },
  { $case: 'command', value: { seq: 1, text: '/who' } },
  { $case: 'preferences', value: { disabledCommands: { names: [] } } },
  { $case: 'viewRadius', value: { chunks: 1 } },
  { $case: 'connect', value: { token: '', protocolVersion, clientName: '' } },
]

describe('the numbers of docs/protocol-notes.md', () => {
  it.each(phrases)('match the code: %s, %s', (section, phrase) => {
    expect(readSection(page, `## ${section}`)).toContain(phrase)
  })

  it('include the cost of every kind of message', () => {
    const rows = readRows(readSection(page, '## Limits'))
    const costOfRow = (name: string) => Number(rows.find(([cell]) => cell?.includes(`\`${name}\``))?.[1])
    for (const message of messages) {
      const name = message.$case.replace(/^./, (first) => first.toUpperCase())
      expect([name, costOfRow(name)]).toEqual([name, costOf(message)])
    }
    const costOfEdits = (count: number) => costOf({ $case: 'editBlocks', value: { seq: 1, edits: edits(count) } })
    expect(rows.find(([cell]) => cell === '`EditBlocks`')?.[1]).toBe(
      `${costOfEdits(1)}, and 1 more for every 16 edits, at most ${costOfEdits(256)}`,
    )
    expect(costOfEdits(16)).toBe(costOfEdits(15) + 1)
    const perSecond = setting('messagesPerSecond')
    expect(page).toContain(`${perSecond / costOfEdits(1)} single edits a second`)
    expect(perSecond / costOfEdits(256)).toBe(3)
  })

  it('include every close code with every code of Kick', () => {
    const documented = readRows(readSection(page, '## Close codes')).flatMap(([code = '', kicks = '']) =>
      [...kicks.matchAll(/`([\w-]+)`/g)].map(([, kick]) => `${code} ${kick}`),
    )
    const all = [...Object.values(closings), goingAway(), kickedBecause(''), bannedBecause({ reason: '' })]
    const used = all.filter(({ code }) => code !== 'left').map(({ closeCode, code }) => `${closeCode} ${code}`)
    expect(documented.toSorted()).toEqual(used.toSorted())
  })
})
