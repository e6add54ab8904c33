import type { Fault } from '../../../kernel/errors.ts'
import { AttacksConfig } from '../../classes/classes-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'

type Attack = AttacksConfig['attacks'][string]

const findGapFaults = (id: string, { ranks }: Attack): Fault[] => {
  const numbers = Object.keys(ranks).map(Number)
  return numbers.flatMap((rank) =>
    rank === 1 || Object.hasOwn(ranks, String(rank - 1))
      ? []
      : [
          {
            pointer: `/attacks/${id}/ranks/${rank}`,
            message: `rank ${rank - 1} is missing: number ranks 1, 2, 3 without gaps`,
          },
        ],
  )
}

/** `skills/attacks.yaml`: applies on reload. */
export const attacksConfigFile = defineConfigFile({
  schema: AttacksConfig,
  summary: 'The attacks of classes, with the values of each rank.',
  effect: 'reload',
  crossCheck: ({ attacks }) => Object.entries(attacks).flatMap(([id, attack]) => findGapFaults(id, attack)),
})
