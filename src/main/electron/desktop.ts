import { BrowserWindow, dialog, shell } from 'electron'
import type { OpenDialogOptions, SaveDialogOptions } from 'electron'
import type { Desktop } from '../app-deps'
import { createOpenExternal } from './open-external'

/** The desktop's own dialogs and programs. */
export function createDesktop(now: () => number): Desktop {
  return {
    pickFolder,
    pickNewFile,
    openExternal: createOpenExternal({ open: (url) => shell.openExternal(url), now }),
    reveal(path) {
      shell.showItemInFolder(path)
      return Promise.resolve()
    },
  }
}

async function pickNewFile(name: string): Promise<string | null> {
  const options: SaveDialogOptions = { title: 'Export', defaultPath: name, properties: ['createDirectory'] }
  const parent = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
  const answer = parent ? await dialog.showSaveDialog(parent, options) : await dialog.showSaveDialog(options)
  return answer.canceled ? null : (answer.filePath ?? null)
}

async function pickFolder(): Promise<string | null> {
  const options: OpenDialogOptions = {
    title: 'Open project',
    properties: ['openDirectory', 'createDirectory'],
  }
  const parent = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
  const answer = parent ? await dialog.showOpenDialog(parent, options) : await dialog.showOpenDialog(options)
  return answer.canceled ? null : (answer.filePaths[0] ?? null)
}
