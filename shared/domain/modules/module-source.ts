import type { Fault } from '../../kernel/errors.ts'

/** A place in the source of a module: a file relative to its modules folder, line and column from 1. */
export type SourcePlace = { readonly file: string; readonly line: number; readonly column: number }

/** A module that does not load. Its message names the first place. */
export class ModuleNotLoaded extends Error {
  override readonly name = 'ModuleNotLoaded'
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(({ file, line, column, pointer, message }) => {
      const place = file === undefined ? pointer : [file, line, column].filter((part) => part !== undefined).join(':')
      return place === undefined ? message : `${place}: ${message}`
    })
    super(lines.join('\n'))
    this.faults = faults
  }
}

/** The code of a module, ready to be evaluated. */
export type ModuleCode = {
  /** Returns the exported definition. Runs the top level of the module. */
  readonly evaluate: () => unknown
  /** The code itself, to see whether it has changed. Absent for a module that is not a file. */
  readonly text?: string
  /** The file of the definition, relative to its modules folder. Absent for a module that is not a file. */
  readonly file?: string
  /** The version in the package of the module. */
  readonly version: string | undefined
  /** The first place in the module's own source of an error's stack. */
  readonly findPlace: (stack: string) => SourcePlace | undefined
}

/** A file for a profile of the processor. */
export type ProfileFile = { readonly path: string; write(text: string): Promise<void> }

/** Where the modules of a node come from. */
export type ModuleSources = {
  /** The names of the modules in the folders, sorted. */
  list(): Promise<readonly string[]>
  /** Builds a module, by `packageName` if it is one of npm. Throws ModuleNotLoaded. */
  load(name: string, packageName?: string): Promise<ModuleCode>
  /** A new `.cpuprofile` file with that name. */
  openProfile(name: string): Promise<ProfileFile>
}
