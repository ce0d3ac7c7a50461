import { BrowserWindow, dialog, nativeImage, shell } from 'electron'
import type { NativeImage, OpenDialogOptions, SaveDialogOptions } from 'electron'
import type { Desktop } from '../app/deps'
import { createOpenExternal } from './open-external'
import { findTerminal, openTerminal } from './terminal'

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
    dragFile(path) {
      ownWindow()?.webContents.startDrag({ file: path, icon: sheet() })
    },
    hasTerminal: () => findTerminal() !== null,
    openTerminal,
  }
}

function ownWindow(): BrowserWindow | undefined {
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
}

const SHEET = { width: 24, height: 30 }

/** What is under the pointer while a file is dragged: a plain sheet. Without any picture macOS refuses the drag. */
function sheet(): NativeImage {
  return nativeImage.createFromBitmap(Buffer.alloc(SHEET.width * SHEET.height * 4, 0xd8), SHEET)
}

async function pickNewFile(name: string): Promise<string | null> {
  const options: SaveDialogOptions = { title: 'Export', defaultPath: name, properties: ['createDirectory'] }
  const parent = ownWindow()
  const answer = parent ? await dialog.showSaveDialog(parent, options) : await dialog.showSaveDialog(options)
  return answer.canceled ? null : (answer.filePath ?? null)
}

async function pickFolder(): Promise<string | null> {
  const options: OpenDialogOptions = {
    title: 'Open project',
    properties: ['openDirectory', 'createDirectory'],
  }
  const parent = ownWindow()
  const answer = parent ? await dialog.showOpenDialog(parent, options) : await dialog.showOpenDialog(options)
  return answer.canceled ? null : (answer.filePaths[0] ?? null)
}
