/** The command of a terminal that started this process: the scripts leave it where the path of a file stood. */
const [, started = ''] = process.argv

/** The package, and not a clone or an image. */
export const isPackage = /^(npx |lamplighter$)/.test(started)

/** How every command begins, for somebody who runs the product as this process runs. */
export const program = isPackage ? started : /\bdist\Wmain\.js$/.test(started) ? 'node dist/main.js' : 'npm start --'

export const startLine = isPackage ? `${program} start` : program.replace(/ --$/, '')
export const demoLine = isPackage ? `${program} demo` : 'npm run demo'
