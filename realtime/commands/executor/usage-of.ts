import type { Argument, Command } from '../command.ts'

const usageOfArgument = ({ name, optional }: Argument): string => (optional === true ? `[${name}]` : `<${name}>`)

/** How a command is written, made from its declaration: `/kick <player> [reason]`; several forms are joined by ` or `. */
export const usageOf = ({ name, forms }: Pick<Command, 'name' | 'forms'>): string =>
  forms.map((form) => [`/${name}`, ...form.map(usageOfArgument)].join(' ')).join(' or ')
