import { describe, expect, it } from 'vitest'
import type { ProviderView } from '@shared/domain/settings'
import { PROVIDER_PRESETS } from '@shared/provider-presets'
import {
  checkDraft,
  checkUnsaved,
  draftFromPreset,
  draftFromProvider,
  keyWords,
  modelChoices,
  providerId,
  splitModels,
  toggleModel,
} from '../../../../src/renderer/settings/provider-form-state'
import type { FieldErrors, ProviderDraft } from '../../../../src/renderer/settings/provider-form-state'

const draft: ProviderDraft = {
  id: '',
  kind: 'openai-compatible',
  label: 'Ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  models: 'qwen3\nllama',
  offered: [],
  store: 'none',
  key: '',
  envName: '',
}
const saved: ProviderView = {
  id: 'ollama',
  kind: 'openai-compatible',
  label: 'Ollama',
  baseUrl: 'https://a.example/v1',
  models: ['qwen3'],
  keySource: 'keychain',
  keyLast4: '1234',
  state: 'ready',
}

function errorsOf(part: Partial<ProviderDraft>, before?: ProviderView): FieldErrors {
  const checked = checkDraft({ ...draft, ...part }, [], before)
  return checked.ok ? {} : checked.errors
}

describe('checkUnsaved', () => {
  it('needs neither a name nor models', () => {
    const checked = checkUnsaved({ ...draft, label: ' ', models: '' }, [])
    expect(checked).toMatchObject({ ok: true, input: { kind: 'openai-compatible', key: { store: 'none' } } })
    expect(checked.ok && checked.input).not.toHaveProperty('models')
  })

  it('needs an address and a key that could be saved', () => {
    const bad = { ...draft, baseUrl: 'ftp://x', store: 'memory' as const }
    expect(checkUnsaved(bad, [])).toMatchObject({
      ok: false,
      errors: { baseUrl: expect.any(String), key: 'Enter the key.' },
    })
  })
})

describe('checkDraft', () => {
  it('makes what main takes', () => {
    expect(checkDraft(draft, ['ollama'])).toEqual({
      ok: true,
      input: {
        id: 'ollama-2',
        kind: 'openai-compatible',
        label: 'Ollama',
        baseUrl: 'http://127.0.0.1:11434/v1',
        models: ['qwen3', 'llama'],
        key: { store: 'none' },
      },
    })
  })

  it.each(['anthropic', 'openai', 'google'] as const)('takes %s without an address', (kind) => {
    const checked = checkDraft({ ...draft, kind, baseUrl: '', store: 'memory', key: ' sk-1 ' }, [])
    expect(checked).toMatchObject({ ok: true, input: { key: { store: 'memory', value: 'sk-1' } } })
  })

  it.each<[string, Partial<ProviderDraft>, keyof FieldErrors]>([
    ['no name', { label: ' ' }, 'label'],
    ['a long name', { label: 'x'.repeat(61) }, 'label'],
    ['no address', { baseUrl: '' }, 'baseUrl'],
    ['an address of another kind', { baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    ['no address at all', { baseUrl: 'ollama' }, 'baseUrl'],
    ['a password in the address', { baseUrl: 'https://me:pw@x.example' }, 'baseUrl'],
    [
      'a key to another machine without encryption',
      { baseUrl: 'http://x.example/v1', store: 'memory', key: 'k' },
      'baseUrl',
    ],
    ['no model', { models: ' , \n' }, 'models'],
    ['too many models', { models: Array.from({ length: 51 }, (_, i) => `m${i}`).join(',') }, 'models'],
    ['no key where one is kept', { store: 'memory' }, 'key'],
    ['a variable that is no name', { store: 'env', envName: 'my key' }, 'envName'],
  ])('refuses %s', (_name, part, field) => {
    expect(Object.keys(errorsOf(part))).toEqual([field])
  })

  it('asks for the key again when the address changed', () => {
    const changed = { ...draftFromProvider(saved), baseUrl: 'https://evil.example/v1' }
    expect(errorsOf(changed, saved).key).toMatch(/entered again/)
    expect(errorsOf({ ...changed, store: 'none' }, saved)).toEqual({})
    expect(errorsOf(draftFromProvider(saved), saved)).toEqual({})
  })

  it('asks for the key again when the kind changed', () => {
    const changed: ProviderDraft = { ...draftFromProvider(saved), kind: 'google' }
    expect(errorsOf(changed, saved).key).toMatch(/entered again/)
  })

  it('keeps the id of a provider that exists', () => {
    const checked = checkDraft({ ...draftFromProvider(saved), label: 'Renamed' }, ['ollama'], saved)
    expect(checked).toMatchObject({ ok: true, input: { id: 'ollama', key: { store: 'keep' } } })
  })
})

describe('draftFromPreset', () => {
  it('keeps a key for the run only where no keychain exists', () => {
    const anthropic = PROVIDER_PRESETS[0]
    if (!anthropic) throw new Error('the presets are empty')
    expect(draftFromPreset(anthropic, true).store).toBe('keychain')
    expect(draftFromPreset(anthropic, false).store).toBe('memory')
  })

  it.each(PROVIDER_PRESETS.filter((preset) => preset.kind !== 'openai-compatible'))(
    'needs a key and no address for $name',
    (preset) => {
      const draftOf = draftFromPreset(preset, true)
      expect(Object.keys(errorsOf({ ...draftOf, models: 'm' }))).toEqual(['key'])
      expect(draftOf.envName).toMatch(/_API_KEY$/)
    },
  )

  it.each(PROVIDER_PRESETS.filter((preset) => preset.baseUrl.startsWith('http://')))(
    'needs no key for $name',
    (preset) => {
      expect(errorsOf({ ...draftFromPreset(preset, true), models: 'm' })).toEqual({})
    },
  )
})

describe('providerId', () => {
  it.each([
    ['Open Router!', [], 'open-router'],
    ['Ollama', ['ollama', 'ollama-2'], 'ollama-3'],
    ['日本', [], 'provider'],
    ['Practice', [], 'provider'],
  ])('makes an id from %j', (label, taken, id) => {
    expect(providerId(label, taken)).toBe(id)
  })
})

describe('splitModels', () => {
  it('takes lines and commas, once each', () => {
    expect(splitModels('a, b\n\nb\n c ')).toEqual(['a', 'b', 'c'])
  })
})

describe('toggleModel', () => {
  it('adds a name, and takes it away again', () => {
    expect(toggleModel('a, b', 'c')).toBe('a\nb\nc')
    expect(toggleModel('a\nb\nc', 'b')).toBe('a\nc')
    expect(toggleModel('', 'a')).toBe('a')
  })
})

describe('keyWords', () => {
  it('says where the key is, with its last characters only', () => {
    expect(keyWords(saved)).toBe('key …1234 in the keychain')
    expect(keyWords({ keySource: 'env', keyEnv: 'MY_KEY' })).toBe('key from MY_KEY')
    expect(keyWords({ keySource: 'none' })).toBe('no key')
  })
})

describe('modelChoices', () => {
  it('starts with the practice agent and keeps a chosen model that is gone', () => {
    expect(modelChoices([saved], 'old/model').map(([ref]) => ref)).toEqual([
      'practice/scripted',
      'ollama/qwen3',
      'old/model',
    ])
  })
})
