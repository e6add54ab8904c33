/** The maximum size of a config text in bytes. */
export const configBytes = 1_048_576
/** The maximum number of groups in `groups.yaml`. */
const groupsMax = 1000

/** A `groups.yaml` of up to `bytes` with too many groups. */
export const tooManyGroups = (bytes: number): string => {
  const lines = ['groups:', '- name: player', '  permissions: [world.build]']
  let length = 60
  for (let index = 0; length < bytes - 200; index += 1) {
    const line = `- name: group${index}\n  permissions: [command.say]`
    lines.push(line)
    length += line.length + 1
  }
  return `${lines.join('\n')}\n`
}

/** A `groups.yaml` of 1 MiB with the maximum number of groups; a different text in each iteration. */
export const legalGroups = (turn: number): string => {
  const permissions = (group: number): string => Array.from({ length: 40 }, (_, index) => `command.c${group}-${index}`).join(', ')
  const group = (index: number): string =>
    `- name: group${index}\n  permissions: [${permissions(index)}]\n  description: turn ${turn}\n`
  const head = 'groups:\n- name: player\n  permissions: [world.build]\n'
  const text = head + Array.from({ length: groupsMax - 1 }, (_, index) => group(index)).join('')
  return text + '# comment\n'.repeat(Math.floor((configBytes - text.length) / 10))
}
