import { describe, expect, it } from '@jest/globals'
import { catalogue } from '../../../../../shared/domain/configs/catalogue.ts'
import { parseConfig } from '../../../../../shared/domain/configs/reading/parse-config.ts'

const faultsOf = (text: string) => {
  const result = parseConfig(catalogue['server.yaml'], text)
  return result.ok ? [] : result.faults
}
const originFault = (origin: string) => faultsOf(`http:\n  allowedOrigins:\n    - ${JSON.stringify(origin)}\n`)

describe('server.yaml', () => {
  it.each([
    'https://admin.example.org',
    'https://admin.example.org:8443',
    'http://localhost:5173',
    'http://127.0.0.1',
    'http://[::1]:3000',
  ])('accepts the origin %s', (origin) => {
    expect(originFault(origin)).toEqual([])
  })

  it.each([
    ['*', 'wildcard'],
    ['https://*.example.org', 'wildcard'],
    ['null', 'not an origin'],
    ['', 'not an origin'],
    ['admin.example.org', 'not an origin'],
    ['https://admin.example.org/', 'write it as https://admin.example.org'],
    ['https://admin.example.org/path?x', 'write it as https://admin.example.org'],
    ['https://Admin.Example.org', 'write it as https://admin.example.org'],
    ['https://admin.example.org:443', 'write it as https://admin.example.org'],
    ['https://me:secret@admin.example.org', 'write it as https://admin.example.org'],
    ['http://admin.example.org', 'must begin with https://'],
    ['ftp://admin.example.org', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
  ])('refuses the origin %j with the fix', (origin, message) => {
    expect(originFault(origin)).toEqual([
      { pointer: '/http/allowedOrigins/0', line: 3, column: 7, message: expect.stringContaining(message) },
    ])
  })

  it('refuses a burst below the rate, at the burst or else at its parent', () => {
    expect(faultsOf('realtime:\n  messagesPerSecond: 60\n  messageBurst: 59\n')).toEqual([
      { pointer: '/realtime/messageBurst', line: 3, column: 3, message: expect.stringContaining('messagesPerSecond (60)') },
    ])
    expect(faultsOf('# first\nrealtime:\n  messagesPerSecond: 121\n')).toEqual([
      { pointer: '/realtime/messageBurst', line: 2, column: 1, message: expect.stringContaining('is 120') },
    ])
    expect(faultsOf('realtime: {messagesPerSecond: 60, messageBurst: 60}')).toEqual([])
  })
})
