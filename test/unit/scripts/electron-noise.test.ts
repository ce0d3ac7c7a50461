import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNoiseFilter } from '../../../scripts/lib/electron-noise.mjs'

const NOISE = [
  '[7021:1121/135643.686247:ERROR:bus.cc(407)] Failed to connect to the bus: Failed to connect to socket /run/dbus/system_bus_socket: No such file or directory',
  '[7021:1121/135643.686247:ERROR:dbus/object_proxy.cc:573] Failed to call method: org.freedesktop.DBus.NameHasOwner: object_path= /org/freedesktop/DBus: unknown error type: ',
  '[7021:1121/135643.688550:ERROR:dbus/bus.cc:408] Failed to connect to the bus: Could not parse server address: Unknown address type',
  '[7043:1121/135643.918216:ERROR:viz_main_impl.cc(181)] Exiting GPU process due to errors during initialization',
  '[7043:1121/135643.918216:ERROR:components/viz/service/main/viz_main_impl.cc:189] Exiting GPU process due to errors during initialization',
  '[7012:1121/135644.089159:ERROR:command_buffer_proxy_impl.cc(131)] ContextResult::kTransientFailure: Failed to send GpuControl.CreateCommandBuffer.',
]
const WORDS = [
  '[7021:1121/135643.686247:ERROR:bus.cc(407)] Something new',
  '[7021:1121/135643.686247:ERROR:gpu_process_host.cc(982)] GPU process exited unexpectedly: exit_code=1',
  '[7021:1121/135643.686247:FATAL:bus.cc(407)] Failed to connect to the bus: x',
  'Satchel: The disk is full.',
  'A note on bus.cc(407)] Failed to connect to the bus: x',
  '',
]

function filtered(chunks: readonly string[]): string {
  const filter = createNoiseFilter()
  return chunks.map((chunk) => filter.push(chunk)).join('') + filter.end()
}

test.each(NOISE)('the harmless line %j is left out', (line) => {
  expect(filtered([`${line}\n`, 'then\n'])).toBe('then\n')
})

test.each(WORDS)('the line %j is shown', (line) => {
  expect(filtered([`${line}\n`])).toBe(`${line}\n`)
})

test('however the text is cut, the same lines come out', () => {
  const text = [...NOISE, ...WORDS, NOISE[0], 'the end'].join('\n')
  const wanted = [...WORDS, 'the end'].join('\n')
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      expect(filtered(at.slice(1).map((end, index) => text.slice(at[index], end)))).toBe(wanted)
    }),
    { numRuns: 100 },
  )
})

test('words that are not a line of Chromium are not held back for the end of their line', () => {
  const filter = createNoiseFilter()
  expect(filter.push('Continue? ')).toBe('Continue? ')
  expect(filter.push('[yes]\n')).toBe('[yes]\n')
})
