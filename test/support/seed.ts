import fc from 'fast-check'

// `npm test` is reproducible; `npm run test:faults` uses another seed each time and prints it.
if (process.env['SEARCH'] !== 'long') fc.configureGlobal({ seed: 1 })
