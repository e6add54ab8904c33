const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0, useGrouping: false })
const tenths = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false })

/** Bytes in the unit that reads best, in the units of the command line: 512 B, 1.5 MiB. */
export const formatSize = (bytes: number): string => {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(step === 0 ? whole : tenths).format(bytes / 1024 ** step)} ${units[step]}`
}
