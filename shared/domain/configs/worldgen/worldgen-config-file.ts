import type { Fault } from '../../../kernel/errors.ts'
import { worldHeight } from '../../../rules/positions.ts'
import { WorldgenConfig } from '../../worlds/generation/worldgen-config.ts'
import { defineConfigFile } from '../declare/config-file.ts'

const findOreFaults = ({ ores }: WorldgenConfig): Fault[] =>
  ores.flatMap(({ minY, maxY }, index) =>
    minY <= maxY
      ? []
      : [
          {
            pointer: `/ores/${index}/maxY`,
            message: `is ${maxY}, below minY (${minY}): raise it to at least that, or lower minY`,
          },
        ],
  )

const findLayerFaults = ({ flat }: WorldgenConfig): Fault[] => {
  let top = 0
  const first = flat.layers.findIndex(({ height }) => {
    top += height
    return top > worldHeight
  })
  const message = `ends at height ${top}, above the ${worldHeight} blocks of a world: remove layers, or make them lower`
  return first === -1 ? [] : [{ pointer: `/flat/layers/${first}`, message }]
}

/** `worldgen.yaml`: applies after a restart to new worlds. */
export const worldgenConfigFile = defineConfigFile({
  schema: WorldgenConfig,
  summary: 'How new worlds are generated.',
  effect: 'restart',
  crossCheck: (config) => [...findOreFaults(config), ...findLayerFaults(config)],
})
