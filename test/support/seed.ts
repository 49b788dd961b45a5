import fc from 'fast-check'

// `npm test` comes out the same each time; `npm run test:faults` looks elsewhere each time, and says where.
if (process.env['SEARCH'] !== 'long') fc.configureGlobal({ seed: 1 })
