/** Prints measurements on the terminal, separate from jest's results. */
export const showFigures = (fault: string, figures: Readonly<Record<string, unknown>>): void => {
  process.stderr.write(`FIGURES ${fault}: ${JSON.stringify(figures)}\n`)
}
