import { expect, it } from '@jest/globals'
import { type Entry, matchEntries } from '../../../console/shell/match-entries.ts'

const entryOf = (kind: Entry['kind'], title: string, more = ''): Entry => ({
  kind,
  icon: 'search',
  title,
  more,
  href: `#${title}`,
})
const entries: readonly Entry[] = [
  entryOf('page', 'Jobs'),
  entryOf('page', 'Map'),
  ...Array.from({ length: 9 }, (_, at) => entryOf('account', `Jonas ${at}`, `a${at}@example.com`)),
  entryOf('account', 'Jo', 'zed@example.com'),
  entryOf('account', 'Bea', 'bea@jo.example'),
  entryOf('zone', 'Jo’s house', 'default'),
  entryOf('command', '/join', 'Join a party'),
  entryOf('command', '/ban', 'Ban a player'),
  entryOf('setting', 'jobs.max', 'How many'),
]
const find = (text: string) => matchEntries(entries, text).shown.map(({ title }) => title)

it('puts an exact name first, before pages, longer names and commands', () => {
  expect(find('jo').slice(0, 3)).toEqual(['Jo', 'Jonas 0', 'Jonas 1'])
  expect(find(' JO ')[0]).toBe('Jo')
  expect(matchEntries(entries, 'jo').kinds).toEqual(['account', 'page', 'zone', 'command', 'setting'])
})

it('puts an exact email, command or page first', () => {
  expect(find('zed@example.com')[0]).toBe('Jo')
  expect(find('ban')[0]).toBe('/ban')
  expect(find('/ban')[0]).toBe('/ban')
  expect(find('map')[0]).toBe('Map')
})

it('keeps the order of the kinds without an exact match', () => {
  expect(find('job')).toEqual(['Jobs', ...find('job').slice(1, 9), 'jobs.max'])
  expect(find('')).toEqual(['Jobs', 'Map'])
  expect(find('party')).toContain('/join')
  expect(find('nothing of this').filter((title) => title === 'Map')).toEqual([])
})
