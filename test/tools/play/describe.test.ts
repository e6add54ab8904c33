import { describe, expect, it } from '@jest/globals'
import { describeNearby, describeWay } from '../../../tools/play/terminal/describe-nearby.ts'
import { toPrintable, toPrintableLine } from '../../../tools/play/terminal/printable.ts'

describe('who is near', () => {
  const here = { x: 10, z: 10 }

  it.each([
    [{ x: 10, z: 5 }, '5 blocks north'],
    [{ x: 13, z: 7 }, '4 blocks north-east'],
    [{ x: 11, z: 10 }, '1 block east'],
    [{ x: 13, z: 13 }, '4 blocks south-east'],
    [{ x: 10, z: 12 }, '2 blocks south'],
    [{ x: 8, z: 12 }, '3 blocks south-west'],
    [{ x: 0, z: 10 }, '10 blocks west'],
    [{ x: 8, z: 8 }, '3 blocks north-west'],
    [{ x: 10.2, z: 10.2 }, 'here'],
  ])('says the way to %j', (there, way) => {
    expect(describeWay(here, there)).toBe(way)
  })

  it('lists the nearest ten, nearest first, with their names made harmless', () => {
    const players = Array.from({ length: 12 }, (_, i) => ({
      playerId: `${i}`,
      displayName: i === 0 ? 'far\u001b[2J' : `p${i}`,
      x: 10 + (12 - i),
      y: 0,
      z: 10,
      yaw: 0,
      pitch: 0,
    }))
    expect(describeNearby(here, players)).toMatch(/^Near: p11 \(1 block east\), p10 \(2 blocks east\), .*, and 2 more\.$/)
    expect(describeNearby(here, players.slice(0, 1))).toBe('Near: far\ufffd[2J (12 blocks east).')
    expect(describeNearby(here, [])).toBe('Nobody is near.')
  })
})

describe('text of others', () => {
  it('cannot reach the controls of the terminal, nor turn its direction, nor feign a line', () => {
    expect(toPrintable('a\nb\u001b]0;x\u0007\u009b1m\r\u202e')).toBe('a\nb\ufffd]0;x\ufffd\ufffd1m\ufffd\ufffd')
    expect(toPrintableLine('a\nb 👩‍🚀 שלום')).toBe('a\ufffdb 👩‍🚀 שלום')
  })
})
