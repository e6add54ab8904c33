/** The variables that say where a listener listens. */
export type ListenVariables = { readonly host: string; readonly port: string }

/** Why a listener could not open, and which of its variables to change; undefined for any other fault. */
export const describeListenFault = (fault: unknown, { host, port }: ListenVariables): string | undefined => {
  if (!(fault instanceof Error && 'code' in fault)) return undefined
  switch (fault.code) {
    case 'EADDRINUSE':
      return `Another process listens on that address already. Stop it, or set ${port} to a free port.`
    case 'EACCES':
      return `This user may not listen on that port. Set ${port} to 1024 or above.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no such address. Set ${host} to one that it has.`
    default:
      return undefined
  }
}
