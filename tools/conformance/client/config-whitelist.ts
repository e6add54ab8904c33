/** All config files. */
export const configWhitelist: readonly string[] = [
  'blocks.yaml',
  'classes.yaml',
  'groups.yaml',
  'modules.yaml',
  'server.yaml',
  'skills/attacks.yaml',
  'skills/spells.yaml',
  'worldgen.yaml',
]
