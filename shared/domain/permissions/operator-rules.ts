import { compileRules } from './compile-rules.ts'
import { builtInAdmin } from './groups-config.ts'
import type { RuleSet } from './rules.ts'

/** The rules of the built-in group `admin`, for the operator on the command line. */
export const operatorRules: RuleSet = compileRules(new Map(), [builtInAdmin.name])
