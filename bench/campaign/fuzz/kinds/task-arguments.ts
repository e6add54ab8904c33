import type { FuzzKind } from '../fuzz-kind.ts'
import { asUtf8, oddText } from '../odd-values.ts'

const tasks: Readonly<Record<string, readonly string[]>> = {
  'tools/adduser.ts': ['someone@example.com', 'a good password', 'Someone', '--groups', 'player,builder', '-'],
  'tools/world.ts': ['list', 'create', 'check', 'map', 'export', 'default', '--seed', '--radius', '1', '-h'],
  'tools/migrate.ts': ['--from', '--to', 'embedded', 'dynamodb', '--dry-run'],
  'tools/oauth.ts': ['check', '--json', '--url'],
}

/** Arguments of command line tasks, each in its own process on the same data folder. */
export const taskArguments: FuzzKind = {
  name: 'task-arguments',
  weight: 0.03,
  alone: true,
  make: (random) => {
    const task = random.pick(Object.keys(tasks))
    const known = tasks[task] ?? []
    const words = Array.from({ length: random.int(0, 5) }, () =>
      random.chance(0.6) ? random.pick(known) : oddText(random).replaceAll('\0', ''),
    )
    return { task, '?args': JSON.stringify(words.map((word) => asUtf8(word))) }
  },
  send: async ({ task = '', '?args': args = '[]' }, { house }) => {
    const words: unknown = JSON.parse(args.startsWith('[') && args.endsWith(']') ? args : '[]')
    const child = house.stage.launch(task, Array.isArray(words) ? words.map(String) : [], house.variables)
    child.endInput()
    const code = await child.ended
    const output = child.stdout() + child.stderr()
    const isTrace = /\n\s+at .+:\d+:\d+/.test(output)
    const isRight = (code === 0 || code === 1 || code === 2) && !isTrace
    return { seen: `exit ${code}`, fault: isRight ? undefined : `ended with ${code}: ${output.slice(-600)}` }
  },
}
