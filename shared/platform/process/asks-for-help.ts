/** Whether the arguments have `--help` or `-h` before `--`. The usage then goes to standard output, and the exit code is 0. */
export const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')
}
