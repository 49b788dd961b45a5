/** The shell command that started this process. The start scripts put it in argv[1], in place of the file's path. */
const [, started = ''] = process.argv

/** True for the installed package, false for a clone or an image. */
export const isPackage = /^(npx |lamplighter$)/.test(started)

/** The start of every command in our messages, written as this process was started. */
export const program = isPackage ? started : /\bdist\Wmain\.js$/.test(started) ? 'node dist/main.js' : 'npm start --'

export const startLine = isPackage ? `${program} start` : program.replace(/ --$/, '')
export const demoLine = isPackage ? `${program} demo` : 'npm run demo'
