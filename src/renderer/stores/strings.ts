import { defineStrings } from '@shared/catalogue'

export const words = defineStrings('stores', {
  chatFeed: {
    thisChatCouldNot: 'This chat could not be kept up to date. Open it again.',
  },
  models: {
    practiceAgentScripted: 'Practice agent, scripted',
    builtIn: 'built in',
    notSetUp: 'not set up',
    on: (name: string, label: string) => `${name} on ${label}`,
    setUp: 'set up',
    keyMissing: 'key missing',
    keyUnreadable: 'key unreadable',
  },
  providerChecks: {
    keyMissing: 'Key missing',
    keyCantBeRead: 'Key can’t be read, enter it again',
    ready: 'Ready',
    checkFailed: 'Check failed',
    notChecked: 'Not checked',
    keySetNotChecked: 'Key set, not checked',
  },
  settings: {
    yourOrganisation: 'your organisation',
  },
})
