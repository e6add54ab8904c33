const commandLine = /^\/(\S*)\s*([\s\S]*)$/

/** The name and the argument of a typed command; undefined for another text. */
export const readCommandText = (text: string): { readonly name: string; readonly argument: string } | undefined => {
  const [, name, argument = ''] = commandLine.exec(text.trimStart()) ?? []
  return name === undefined ? undefined : { name: name.toLowerCase(), argument: argument.trim() }
}
