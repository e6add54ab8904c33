import { builtInAdmin } from './built-in-admin.ts'
import { compileRules } from './compile-rules.ts'
import type { RuleSet } from './rules.ts'

/** The rules of the built-in group `admin`, for the operator on the command line. */
export const operatorRules: RuleSet = compileRules(new Map(), [builtInAdmin.name])
