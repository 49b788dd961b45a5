import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/redis.ts'],
    clearMocks: true,
    restoreMocks: true,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for may take long where everything else runs at the same time.
    expect: { poll: { timeout: 10_000 } },
    // Two cores: more workers than that only make the stories wait for each other.
    maxWorkers: 2,
  },
})
