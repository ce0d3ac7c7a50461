import type { App } from 'electron'

/** They let any program of this computer work the page, and so allow what it wants. */
const DEBUGGING = ['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address']

/** Command-line switches of Chromium. Must run before the app is ready. */
export function setSwitches(app: App): void {
  const { commandLine } = app
  // The page can resolve no name at all, not even by dns-prefetch (EL-1). Node's own fetch in main is not touched.
  commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND')
  commandLine.appendSwitch('force-webrtc-ip-handling-policy', 'disable_non_proxied_udp')
  // No fuse is for these (security.md 2.3); the tests of the built app attach by them.
  if (app.isPackaged) for (const name of DEBUGGING) commandLine.removeSwitch(name)
  // Both together are fatal: as root the app is started with --no-sandbox.
  if (!commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
}
