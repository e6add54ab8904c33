import fc from 'fast-check'

// The same inputs in every run, so that failures in CI can be reproduced.
fc.configureGlobal({ seed: 20_261_120 })
