'use strict'
// Starts the app that the command line names, as Electron's own default app would. The app's main file is
// required synchronously: with import() it would run after `ready`, too late to register protocol schemes.
require('./sqlite-hook.cjs')
const { existsSync, readFileSync, statSync } = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const { app } = require('electron')

function readArguments(argv) {
  const preload = []
  for (let index = 0; index < argv.length; index += 1) {
    const value = argv[index]
    if (value === '-r' || value === '--require') preload.push(argv[(index += 1)])
    else if (!value.startsWith('-')) return { preload, file: path.resolve(value) }
  }
  return { preload, file: null }
}

function mainFile(file) {
  if (!statSync(file).isDirectory()) return file
  const description = JSON.parse(readFileSync(path.join(file, 'package.json'), 'utf8'))
  if (description.version) app.setVersion(description.version)
  app.name = description.productName ?? description.name ?? app.name
  app.setDesktopName(`${app.name}.desktop`)
  app.setAppPath(file)
  return path.join(file, description.main ?? 'index.js')
}

const { preload, file } = readArguments(process.argv.slice(1))
if (!file || !existsSync(file)) {
  console.error(`No app to start: ${file ?? 'name its folder on the command line'}`)
  process.exit(1)
}
process.defaultApp = true
for (const name of preload) createRequire(path.join(process.cwd(), '/'))(name)
require(mainFile(file))
