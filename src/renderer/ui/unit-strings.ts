import { defineStrings } from '@shared/catalogue'

/** Units and times of `format.ts`, which puts the numbers in. */
export const units = defineStrings('units', {
  token: { one: 'token', other: 'tokens' },
  byte: { one: 'byte', other: 'bytes' },
  kilobytes: (n: string) => `${n} kB`,
  megabytes: (n: string) => `${n} MB`,
  seconds: (n: string) => `${n} s`,
  minutesAndSeconds: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  hoursAndMinutes: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  now: 'now',
  minutes: (n: number) => `${n} min`,
  hours: (n: number) => `${n} h`,
  ownFolder: (below: string) => `this chat’s own folder${below}`,
})
