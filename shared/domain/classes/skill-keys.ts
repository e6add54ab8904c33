import { Type } from '@sinclair/typebox'

/** The pattern of ids of attacks and spells: lower-case letters, digits, _ and -, at most 64. */
export const skillIdPattern = '^[a-z][a-z0-9_-]{0,63}$'

export const skillId = (description: string) =>
  Type.String({
    pattern: skillIdPattern,
    description: `${description}: lower-case letters, digits, _ and -, starting with a letter, at most 64 characters.`,
  })

/** The kind of a skill; game clients know the kinds, the server does not. */
export const skillKind = (description: string) =>
  Type.String({
    pattern: '^[a-z][a-z0-9_-]{0,31}$',
    description: `${description}: a word in lower-case letters, digits, _ and -, at most 32 characters.`,
  })

export const skillEnabled = Type.Boolean({
  description: 'Off: no player has the skill. Remove it from all classes first: a class that grants it is refused.',
})

export const skillCost = Type.Integer({
  minimum: 0,
  maximum: 100_000,
  description: 'Mana or rage per use; 0 is free.',
})

export const skillCooldownMs = Type.Integer({
  minimum: 0,
  maximum: 3_600_000,
  description: 'Time between two uses in milliseconds, at most an hour.',
})
