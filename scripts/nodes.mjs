import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The oldest supported version, the LTS versions, and the newest. */
const usual = ['20.19.0', '22', '24', 'latest']

/** `npm run test:nodes [-- VERSION…]`: runs all tests under each version of Node, installed from npm. */
function main() {
  const given = process.argv.slice(2)
  const failed = (given.length > 0 ? given : usual).filter((version) => {
    const node = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    const home = join(root, '.cache', 'nodes', version)
    run('npm', ['install', '--silent', '--no-save', '--prefix', home, `${node}@${version}`])
    const bin = join(home, 'node_modules', node, 'bin')
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
    run('node', ['--version'], env)
    return !run('npx', ['vitest', 'run'], env)
  })
  if (failed.length === 0) return
  console.error(`Not well under Node ${failed.join(', ')}.`)
  process.exitCode = 1
}

function run(program, words, env = process.env) {
  return spawnSync(program, words, { cwd: root, env, stdio: 'inherit' }).status === 0
}

main()
