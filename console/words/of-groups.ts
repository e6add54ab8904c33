/** Texts of the groups, and of the review of a changed config. */
export const wordsOfGroups = {
  groups: {
    lead: 'Groups are saved in groups.yaml, and its comments are kept. You review the effects of a change before you save it.',
    add: 'Add group',
    name: 'Name',
    nameHint: 'Lower-case letters, digits and dashes, as in “builder”.',
    description: 'Description',
    inherits: 'Inherits',
    permissions: 'Permissions',
    permissionsHint: 'One per line: world.build, command.*, or -zone.build to deny it.',
    matrix: 'Permissions of each group',
    permission: 'Permission',
    find: 'Find a permission',
    privileged: 'needs a password sign-in',
    verdicts: { granted: 'granted', inherited: 'inherited', denied: 'denied', none: 'not granted' },
    cell: (permission: string, group: string, verdict: string) => `${permission} for ${group}: ${verdict}`,
    members: (count: number, isCut: boolean) =>
      `${count}${isCut ? ' or more' : ''} ${count === 1 && !isCut ? 'account' : 'accounts'}`,
    inheritsFrom: (names: string) => `inherits ${names}`,
    changed: (names: string) => `Unsaved changes: ${names}.`,
    discard: 'Discard',
    edit: 'Edit',
    remove: 'Remove',
    isDefault: 'default',
    builtIn: 'built-in',
    review: 'Review change',
    reviewTitle: 'Effects of this change',
    saved: 'Saved and applied.',
    savedOnly: 'Saved, but not applied. Ask an administrator with admin.server.reload to reload the configs.',
    notInForce: (why: string) => `Saved, but not applied: ${why}`,
    othersFailed: (names: readonly string[]) =>
      `Saved. These files have errors, so their last valid versions stay active: ${names.join(', ')}.`,
    nothing: 'No account gains or loses permissions.',
    gains: 'gains',
    loses: 'loses',
    accounts: (count: number, connected: number | null) =>
      `${count} ${count === 1 ? 'account' : 'accounts'} affected${connected === null ? '' : `, ${connected} in the game now`}.`,
    newAccounts: 'A new account',
    unknown: (group: string, accounts: number) =>
      `${accounts} ${accounts === 1 ? 'account refers' : 'accounts refer'} to the group ${group}, which would not exist.`,
    exists: (name: string) => `The group ${name} already exists.`,
  },
} as const
