/** The former place of `tools/generate.ts`, which scripts outside of the project still call. */
import '../tools/generate.ts'
