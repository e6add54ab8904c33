import type { Fault } from '../../../kernel/errors.ts'
import { AttacksConfig } from '../../classes/attacks-config.ts'
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
            message: `there is no rank ${rank - 1} below it: number ranks 1, 2, 3, without gaps`,
          },
        ],
  )
}

/** `skills/attacks.yaml`: in force on reload. */
export const attacksConfigFile = defineConfigFile({
  schema: AttacksConfig,
  summary: 'The attacks that classes grant, with what each rank of them does.',
  effect: 'reload',
  crossCheck: ({ attacks }) => Object.entries(attacks).flatMap(([id, attack]) => findGapFaults(id, attack)),
})
