import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Counts statements, which V8 does only in code that nothing has run before. */
const counted = 'test/core/commands/linear.test.ts'

/**
 * What takes long begins first: no worker is left alone with it at the end. Of those, neighbours in a folder, which often
 * wait for the same things, begin far apart, so that others have the processor while they wait.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/(stories|faults|browser|sandbox)\/|\/(package|health)\.test|\.model\.test/.test(moduleId)
    const byName = sorted.filter(isLong).sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
    const golden = (Math.sqrt(5) - 1) / 2
    const long = byName.map((file, at) => ({ file, place: (at * golden) % 1 })).sort((a, b) => a.place - b.place)
    return [...long.map(({ file }) => file), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [counted],
          globalSetup: ['test/support/redis.ts'],
          setupFiles: ['test/support/seed.ts'],
          // Loading the product again for each file took longer than all its tests. No module keeps what a test leaves.
          isolate: false,
          // The searches make much that is thrown away at once.
          execArgv: ['--max-semi-space-size=64'],
        },
      },
      { extends: true, test: { name: 'alone', include: [counted] } },
    ],
    clearMocks: true,
    restoreMocks: true,
    // A bound for what hangs; on a busy machine everything else takes as long as it takes.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What is waited for may take long where everything else runs at the same time.
    expect: { poll: { timeout: 60_000 } },
    // Stories wait for processes and leases. Five workers leave a twelfth of two cores unused; six or seven leave nothing, but
    // each of them loads the product, and together they take a tenth more.
    maxWorkers: 5,
    // Stories that run side by side wait for leases of ten seconds: twice as many at once cost no more.
    maxConcurrency: 10,
  },
})
