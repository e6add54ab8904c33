/** Shows what was measured, where a person who runs the suite sees it and jest keeps it apart from the results. */
export const showFigures = (fault: string, figures: Readonly<Record<string, unknown>>): void => {
  process.stderr.write(`FIGURES ${fault}: ${JSON.stringify(figures)}\n`)
}
