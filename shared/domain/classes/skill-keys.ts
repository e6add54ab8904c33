import { Type } from '@sinclair/typebox'

/** What the id of an attack or a spell looks like: lower-case letters, digits, _ and -, at most 64. */
export const skillIdPattern = '^[a-z][a-z0-9_-]{0,63}$'

export const skillId = (description: string) =>
  Type.String({
    pattern: skillIdPattern,
    description: `${description}: lower-case letters, digits, _ and -, a letter first, at most 64.`,
  })

/** What kind of a thing a skill is; game clients know the kinds, the server does not. */
export const skillKind = (description: string) =>
  Type.String({
    pattern: '^[a-z][a-z0-9_-]{0,31}$',
    description: `${description}: a word in lower-case letters, digits, _ and -, at most 32.`,
  })

export const skillEnabled = Type.Boolean({
  description: 'Off: nobody has it. Classes that still grant it are refused, so take it out of them first.',
})

export const skillCost = Type.Integer({
  minimum: 0,
  maximum: 100_000,
  description: 'Points of mana or rage that one use takes; 0 is free.',
})

export const skillCooldownMs = Type.Integer({
  minimum: 0,
  maximum: 3_600_000,
  description: 'Time until it can be used again, in milliseconds, an hour at the most.',
})
