import { defineConfig } from 'vitest/config'

/** Counts statements, which V8 does only in code that nothing has run before. */
const counted = 'test/operations/linear.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [counted],
          globalSetup: ['test/support/redis.ts'],
          // Loading the product again for each file took longer than all its tests. No module keeps what a test leaves.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: [counted] } },
    ],
    clearMocks: true,
    restoreMocks: true,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for may take long where everything else runs at the same time.
    expect: { poll: { timeout: 10_000 } },
    // Stories wait more than they compute: of two cores, two workers leave a third of the time unused.
    maxWorkers: 3,
  },
})
