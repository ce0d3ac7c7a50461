/** The displays that the test runner started, one for each worker; where it started none, the one there is. */
export function testDisplays(): (string | undefined)[] {
  return process.env['SATCHEL_TEST_DISPLAYS']?.split(' ') ?? [process.env['DISPLAY']]
}
