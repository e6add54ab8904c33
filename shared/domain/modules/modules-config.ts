import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'

/** The name of a module: of its file, its commands and its permissions. */
export const moduleNamePattern = '^[a-z][a-z0-9-]{0,31}$'

/** The answer to edits and chat lines while their module is off. */
const WhenOff = Type.Union([Type.Literal('allow'), Type.Literal('refuse')], {
  default: 'allow',
  description:
    'What happens to edits and chat lines while the module is off, if it decides about them: `allow` skips it, `refuse` refuses them.',
})

const ModuleEntry = ClosedObject({
  enabled: Type.Boolean({ default: true, description: 'False: the module is not started.' }),
  required: Type.Boolean({
    default: false,
    description: 'True: the node does not start without this module.',
  }),
  package: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 214,
      description:
        'An npm package with the module, installed in the project that starts the server. Without it the module is a file or folder of its name, or the package of that name.',
    }),
  ),
  whenOff: WhenOff,
  settings: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The settings of the module. Its own schema checks them when the file is saved and when the module loads. Absent: the defaults of that schema.',
    }),
  ),
})

const ModuleBudget = ClosedObject(
  {
    allMsPerTick: Type.Number({
      default: 10,
      minimum: 1,
      maximum: 50,
      description: 'The time of all modules in one tick, in milliseconds. Jobs use the remaining time.',
    }),
    msPerTick: Type.Number({
      default: 4,
      minimum: 0.1,
      maximum: 50,
      description: 'The average time of one module per tick, in milliseconds. A module above it for three seconds is slowed.',
    }),
    spikeMs: Type.Number({
      default: 25,
      minimum: 1,
      maximum: 250,
      description: 'A longer time at once is a spike, in milliseconds. Five spikes in a minute count as slow.',
    }),
    cutMs: Type.Integer({
      default: 250,
      minimum: 50,
      maximum: 5000,
      description: 'Module code that runs this long is ended, and the module is switched off, in milliseconds.',
    }),
    timersMax: Type.Integer({ default: 1000, minimum: 1, maximum: 100_000, description: 'The number of timers of one module.' }),
    messageBytesMax: Type.Integer({
      default: 8192,
      minimum: 256,
      maximum: 65_536,
      description: 'The largest message of a client to a module, in bytes. Over HTTP it is at most 8,192.',
    }),
    recordBytesMax: Type.Integer({
      default: 65_536,
      minimum: 1024,
      maximum: 262_144,
      description: 'The largest stored value of a module, in bytes. Administrators write at most 65,536.',
    }),
    entitiesMax: Type.Integer({
      default: 5000,
      minimum: 0,
      maximum: 100_000,
      description: 'The number of entities of one module.',
    }),
    keep: Type.Boolean({
      default: false,
      description: 'True: a module that stays slow is never switched off. A module that is cut off is switched off in any case.',
    }),
  },
  { default: {}, description: 'Limits of modules.' },
)

/** The shape of `modules.yaml`. */
export const ModulesConfig = ClosedObject({
  modules: Type.Record(Type.String({ pattern: moduleNamePattern }), ModuleEntry, {
    default: {},
    description: 'Modules by name. A module in the modules folder also runs without an entry.',
  }),
  budget: ModuleBudget,
})
export type ModulesConfig = Static<typeof ModulesConfig>
export type ModuleEntry = Static<typeof ModuleEntry>
export type ModuleBudget = Static<typeof ModuleBudget>
