import type { App } from 'electron'

/** Command-line switches of Chromium. Must run before the app is ready. */
export function setSwitches(app: App): void {
  const { commandLine } = app
  // The page can resolve no name at all, not even by dns-prefetch (EL-1). Node's own fetch in main is not touched.
  commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND')
  commandLine.appendSwitch('force-webrtc-ip-handling-policy', 'disable_non_proxied_udp')
  // Both together are fatal: as root the app is started with --no-sandbox.
  if (!commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
}
