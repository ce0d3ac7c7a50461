import type { WebPreferences } from 'electron'

/** Everything a page could use to leave its box is off (`security.md` 2.1 points 2 to 4 and 6 to 11). */
export function webPreferences(preloadFile: string, hasDevTools: boolean): WebPreferences {
  return {
    preload: preloadFile,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    disableBlinkFeatures: 'Auxclick',
    navigateOnDragDrop: false,
    // Chromium would download dictionaries.
    spellcheck: false,
    devTools: hasDevTools,
  }
}
