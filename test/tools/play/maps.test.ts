import { describe, expect, it } from '@jest/globals'
import { createBlockCache } from '../../../sdk/world/block-cache.ts'
import { drawColourMap } from '../../../tools/play/map/colour-map.ts'
import { drawLetterMap } from '../../../tools/play/map/letter-map.ts'
import { surveyMap } from '../../../tools/play/map/survey-map.ts'
import { blockTypes, groundMessage } from './block-messages.ts'
import { withoutColours } from './without-colours.ts'

/** Flat grass at 63 in column 0,0 with a pool, a pillar, a hole through the world, and a roof over 12,12. */
const createWorld = () => {
  const world = createBlockCache()
  world.begin(blockTypes)
  world.putChunk(groundMessage(0, 0, () => 63))
  const at = (x: number, y: number, z: number, type: string) => ({ x, y, z, type })
  world.change([at(1, 63, 1, 'water'), at(2, 63, 1, 'water'), at(3, 66, 3, 'stone')])
  world.change([61, 62, 63].map((y) => at(0, y, 3, 'air')))
  world.change([at(12, 70, 12, 'stone')])
  return world
}

const position = { x: 1.5, y: 64, z: 2.5 }
const bob = { displayName: 'bob', x: 3.2, z: 0.9 }

describe('a map in letters', () => {
  it('shows blocks, players, holes and what was not received, and says what each letter stands for', () => {
    const survey = surveyMap({ world: createWorld(), position, players: [bob], radius: 2 })
    expect(drawLetterMap(survey)).toBe(
      [
        'Map around 1 64 2, 5 blocks square, north is up.',
        '? g g g 1',
        '? g w w g',
        '? g @ g g',
        '? . g g s',
        '? g g g g',
        '@ you, 1 bob (3 blocks north-east)',
        'g grass, w Salt water, s stone, . nothing, ? not received yet',
      ].join('\n'),
    )
  })

  it('looks down from a height when asked to', () => {
    const draw = (from?: number) =>
      drawLetterMap(
        surveyMap({
          world: createWorld(),
          position: { x: 13.5, y: 64, z: 12.5 },
          players: [],
          radius: 1,
          ...(from !== undefined && { from }),
        }),
      )
    expect(draw().split('\n')[2]).toBe('s @ g')
    expect(draw(65).split('\n')[2]).toBe('g @ g')
  })

  it('gives every kind a letter of its own, from its id where one is left', () => {
    const ids = ['sand', 'stone', 'snow', 'ss', 's', 'a_b']
    const world = createBlockCache()
    world.begin(
      [blockTypes[0], blockTypes[1], ...ids.map((id, place) => ({ index: place + 2, id, colour: 0, solid: true }))].flatMap(
        (t) => t ?? [],
      ),
    )
    world.putChunk(groundMessage(0, 0, () => 1))
    world.change(ids.flatMap((type, place) => Array.from({ length: 8 - place }, (_, z) => ({ x: place, y: 9, z, type }))))
    const text = drawLetterMap(surveyMap({ world, position: { x: 3, y: 9, z: 7 }, players: [], radius: 7 }))
    const letters = (text.split('\n').at(-1) ?? '').split(', ').map((entry) => entry.split(' ')[0])
    expect(new Set(letters).size).toBe(letters.length)
    expect(text).toMatch(/s stone, . sand, n snow/)
    expect(text).toMatch(/, . a b,/)
  })

  it('marks the nearest nine players, and the rest as a crowd', () => {
    const players = Array.from({ length: 12 }, (_, place) => ({ displayName: `p${place}`, x: 2.5 + place, z: 2.5 }))
    const text = drawLetterMap(surveyMap({ world: createWorld(), position, players, radius: 12 }))
    expect(text).toContain('@ 1 2 3 4 5 6 7 8 9 + +')
    expect(text).toContain('1 p0 (1 block east), 2 p1 (2 blocks east)')
    expect(text).toMatch(/9 p8 \(9 blocks east\), \+ more players$/m)
    expect(text).not.toContain('p11')
  })

  it('shows oneself where another stands in the same place, and nobody who is beyond its edge', () => {
    const players = [
      { displayName: 'near', x: 1.1, z: 2.9 },
      { displayName: 'far', x: 5.0, z: 2.5 },
    ]
    const text = drawLetterMap(surveyMap({ world: createWorld(), position, players, radius: 2 }))
    expect(text).toContain('? g @ g g')
    expect(text).toContain('@ you, 1 near (here)')
    expect(text).not.toContain('far')
  })

  it('lets no name reach the controls of the terminal', () => {
    const world = createBlockCache()
    world.begin([...blockTypes.slice(0, 2), { index: 2, id: 'a\u001b[2Jb', colour: 0, solid: true }])
    world.putChunk(groundMessage(0, 0, () => 63))
    const players = [{ displayName: 'e\u001b]0;x\u0007\nve', x: 1, z: 1 }]
    const survey = surveyMap({ world, position, players, radius: 2 })
    expect(drawLetterMap(survey)).not.toMatch(/[^\P{Cc}\n]/u)
    expect(drawLetterMap(survey).split('\n')).toHaveLength(8)
    expect(withoutColours(drawColourMap(survey, 'true'))).not.toContain('\u001b')
  })
})

describe('a map in colours', () => {
  it('shades by height and slope, marks the player, and names the kinds', () => {
    const world = createBlockCache()
    world.begin(blockTypes)
    world.putChunk(groundMessage(0, 0, (_, z) => (z < 2 ? 60 : 64)))
    world.change([{ x: 0, y: 65, z: 3, type: 'water' }])
    const survey = surveyMap({ world, position: { x: 1, y: 64, z: 2 }, players: [], radius: 1 })
    const esc = '\u001b['
    const [flat, rising] = ['48;2;56;139;56', '48;2;64;160;64']
    const falling = '48;2;56;141;56'
    const black = '38;2;0;0;0m'
    const white = '38;2;255;255;255m'
    const rows = drawColourMap(survey, 'true').split('\n')
    expect(rows[1]).toBe(`${esc}${flat}m${esc}${white}${'  '.repeat(3)}${esc}0m`)
    expect(rows[2]).toBe(
      `${esc}${rising}m${esc}${black}  ${esc}${rising}m${esc}${black}${esc}1m@ ${esc}0m${esc}${rising}m${esc}${black}  ${esc}0m`,
    )
    expect(rows[3]).toContain(`${esc}48;2;64;96;209m`)
    expect(rows[3]).toContain(`${esc}${falling}m`)
    expect(rows.slice(4)).toEqual(['@ you', `${esc}48;2;64;160;64m  ${esc}0m grass  ${esc}48;2;64;96;208m  ${esc}0m Salt water`])
  })

  it('shows what was not received as such, and holes as dark', () => {
    const survey = surveyMap({ world: createWorld(), position: { x: 0, y: 64, z: 3 }, players: [], radius: 1 })
    const text = drawColourMap(survey, 'true')
    expect(text.split('\n')[2]).toContain('\u001b[48;2;42;42;46m\u001b[38;2;255;255;255m··\u001b[48;2;16;16;20m')
    expect(text).toMatch(/·· not received yet$/)
  })

  it('uses the 256 colours of xterm where there are no more', () => {
    const survey = surveyMap({ world: createWorld(), position, players: [bob], radius: 2 })
    const text = drawColourMap(survey, '256')
    expect(text).toContain('\u001b[48;5;')
    expect(text).not.toContain('8;2;')
    for (const [, index] of text.matchAll(/\[[34]8;5;(\d+)m/g)) {
      expect(Number(index)).toBeGreaterThanOrEqual(16)
      expect(Number(index)).toBeLessThanOrEqual(231)
    }
  })

  it('shows the same cells as the map in letters', () => {
    const survey = surveyMap({ world: createWorld(), position, players: [bob], radius: 2 })
    const plain = withoutColours(drawColourMap(survey, 'true'))
    expect(plain.split('\n').slice(0, 7)).toEqual([
      'Map around 1 64 2, 5 blocks square, north is up.',
      '··      1 ',
      '··        ',
      '··  @     ',
      '··        ',
      '··        ',
      '@ you, 1 bob (3 blocks north-east)',
    ])
  })
})
