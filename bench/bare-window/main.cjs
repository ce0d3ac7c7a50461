// The yardstick of `bench -- library`: a window with the same number of rows and no code of Satchel's.
const { app, BrowserWindow } = require('electron')
const { join } = require('node:path')

void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 800, webPreferences: { sandbox: true } })
  return window.loadFile(process.env.BENCH_PAGE || join(__dirname, 'index.html'), {
    query: { rows: process.env.BENCH_ROWS ?? '1000' },
  })
})
app.on('window-all-closed', () => app.quit())
