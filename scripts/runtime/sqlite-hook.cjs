'use strict'
// better-sqlite3 13 needs Node-API 10, Electron 33 has 9 and would crash. This hook gives whoever requires
// better-sqlite3 the 11.5 that lies beside it, in this thread and in every worker started from it.
const Module = require('node:module')
const workers = require('node:worker_threads')

const own = require.resolve('better-sqlite3')
const resolveFilename = Module._resolveFilename

Module._resolveFilename = function resolveOwn(request, ...rest) {
  return request === 'better-sqlite3' ? own : resolveFilename.call(this, request, ...rest)
}

workers.Worker = class extends workers.Worker {
  constructor(file, options = {}) {
    super(file, { ...options, execArgv: [...(options.execArgv ?? []), '--require', __filename] })
  }
}
Module.syncBuiltinESMExports()
