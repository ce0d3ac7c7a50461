import { describe, expect, it } from 'vitest'
import { strictErrors, strictProperties, toPrompt } from '@shared/skill-check/strict'
import type { StrictFolder } from '@shared/skill-check/strict'

/** The reference validator's own tests under their names (`format.md` 1.5); they hold with and without its mistakes. */

const folder = (
  name: string,
  text: string | null,
  file: 'SKILL.md' | 'skill.md' = 'SKILL.md',
): StrictFolder => ({
  path: `/skills/${name}`,
  kind: 'folder',
  name,
  skillMd: text === null ? null : { name: file, bytes: new TextEncoder().encode(text) },
})
const skillMd = (...fields: string[]) => `---\n${fields.join('\n')}\n---\n# My Skill\n\nInstructions here.\n`

describe.each([{ exact: false }, { exact: true }])('the official tests, exact: $exact', (options) => {
  const errors = (name: string, text: string) => strictErrors(folder(name, text), options)
  const read = (name: string, text: string | null) => strictProperties(folder(name, text), options)
  const failure = (text: string | null) => {
    const result = read('my-skill', text)
    return result.ok ? 'no error' : result.error
  }

  describe('test_parser', () => {
    const VALID = skillMd('name: my-skill', 'description: A test skill')

    it('test_valid_frontmatter', () => {
      expect(read('my-skill', VALID)).toEqual({
        ok: true,
        properties: { name: 'my-skill', description: 'A test skill' },
        body: '# My Skill\n\nInstructions here.',
      })
    })

    it('test_missing_frontmatter', () => {
      expect(failure('# No frontmatter here')).toContain('must start with YAML frontmatter')
    })

    it('test_unclosed_frontmatter', () => {
      expect(failure('---\nname: my-skill\ndescription: A test skill\n')).toContain('not properly closed')
    })

    it('test_invalid_yaml', () => {
      expect(failure('---\nname: [invalid\ndescription: broken\n---\nBody here\n')).toContain('Invalid YAML')
    })

    it('test_non_dict_frontmatter', () => {
      expect(failure('---\n- just\n- a\n- list\n---\nBody\n')).toContain('must be a YAML mapping')
    })

    it('test_read_valid_skill', () => {
      expect(
        read('my-skill', skillMd('name: my-skill', 'description: A test skill', 'license: MIT')),
      ).toMatchObject({ properties: { name: 'my-skill', description: 'A test skill', license: 'MIT' } })
    })

    it('test_read_with_metadata', () => {
      const text = skillMd(
        'name: my-skill',
        'description: A test skill',
        'metadata:',
        '  author: Test Author',
        '  version: 1.0',
      )
      expect(read('my-skill', text)).toMatchObject({
        properties: { metadata: { author: 'Test Author', version: '1.0' } },
      })
    })

    it('test_missing_skill_md', () => {
      expect(failure(null)).toBe('SKILL.md not found in /skills/my-skill')
    })

    it('test_missing_name', () => {
      expect(failure(skillMd('description: A test skill'))).toBe(
        'Missing required field in frontmatter: name',
      )
    })

    it('test_missing_description', () => {
      expect(failure(skillMd('name: my-skill'))).toBe('Missing required field in frontmatter: description')
    })

    it.each(['SKILL.md', 'skill.md'] as const)(
      'test_find_skill_md and with lower case: %s is read',
      (file) => {
        expect(strictProperties(folder('my-skill', VALID, file), options)).toMatchObject({ ok: true })
        expect(strictErrors(folder('my-skill', VALID, file), options)).toEqual([])
      },
    )

    it('test_find_skill_md_returns_none', () => {
      expect(read('my-skill', null).ok).toBe(false)
    })

    it('test_read_properties_with_lowercase_skill_md', () => {
      expect(strictProperties(folder('my-skill', VALID, 'skill.md'), options)).toMatchObject({
        properties: { name: 'my-skill' },
      })
    })

    it('test_read_with_allowed_tools, and in what is printed', () => {
      const text = skillMd('name: my-skill', 'description: A', 'allowed-tools: Bash(jq:*) Bash(git:*)')
      expect(read('my-skill', text)).toMatchObject({
        properties: { 'allowed-tools': 'Bash(jq:*) Bash(git:*)' },
      })
    })
  })

  describe('test_validator', () => {
    it('test_valid_skill', () => {
      expect(errors('my-skill', skillMd('name: my-skill', 'description: A test skill'))).toEqual([])
    })

    it('test_nonexistent_path', () => {
      expect(strictErrors({ ...folder('no', null), kind: 'missing' }, options)).toEqual([
        'Path does not exist: /skills/no',
      ])
    })

    it('test_not_a_directory', () => {
      expect(strictErrors({ ...folder('file.txt', null), kind: 'file' }, options)).toEqual([
        'Not a directory: /skills/file.txt',
      ])
    })

    it('test_missing_skill_md', () => {
      expect(strictErrors(folder('my-skill', null), options)).toEqual(['Missing required file: SKILL.md'])
    })

    it.each([
      ['test_invalid_name_uppercase', 'MySkill', 'lowercase'],
      ['test_name_too_long', 'a'.repeat(70), 'exceeds 64 character limit (70 chars)'],
      ['test_name_leading_hyphen', '-my-skill', 'cannot start or end with a hyphen'],
      ['test_name_consecutive_hyphens', 'my--skill', 'consecutive hyphens'],
      ['test_name_invalid_characters', 'my_skill', 'invalid characters'],
      ['test_i18n_russian_uppercase_rejected', 'НАВЫК', 'lowercase'],
    ])('%s', (_test, name, part) => {
      const found = errors(name, skillMd(`name: ${name}`, 'description: A test skill'))
      expect(found).toHaveLength(1)
      expect(found[0]).toContain(part)
    })

    it('test_name_directory_mismatch', () => {
      expect(errors('wrong-name', skillMd('name: correct-name', 'description: A test skill'))).toEqual([
        "Directory name 'wrong-name' must match skill name 'correct-name'",
      ])
    })

    it('test_unexpected_fields', () => {
      const text = skillMd('name: my-skill', 'description: A', 'unknown_field: should not be here')
      expect(errors('my-skill', text)).toEqual([
        "Unexpected fields in frontmatter: unknown_field. Only ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name'] are allowed.",
      ])
    })

    it('test_valid_with_all_fields', () => {
      const text = skillMd('name: my-skill', 'description: A', 'license: MIT', 'metadata:', '  author: Test')
      expect(errors('my-skill', text)).toEqual([])
    })

    it('test_allowed_tools_accepted', () => {
      const text = skillMd('name: my-skill', 'description: A', 'allowed-tools: Bash(jq:*) Bash(git:*)')
      expect(errors('my-skill', text)).toEqual([])
    })

    it.each([
      ['test_i18n_chinese_name', '技能'],
      ['test_i18n_russian_name_with_hyphens', 'мой-навык'],
      ['test_i18n_russian_lowercase_valid', 'навык'],
    ])('%s', (_test, name) => {
      expect(errors(name, skillMd(`name: ${name}`, 'description: A test skill'))).toEqual([])
    })

    it('test_description_too_long', () => {
      const text = skillMd('name: my-skill', `description: ${'x'.repeat(1100)}`)
      expect(errors('my-skill', text)).toEqual(['Description exceeds 1024 character limit (1100 chars)'])
    })

    it('test_valid_compatibility', () => {
      const text = skillMd('name: my-skill', 'description: A', 'compatibility: Requires Python 3.11+')
      expect(errors('my-skill', text)).toEqual([])
    })

    it('test_compatibility_too_long', () => {
      const text = skillMd('name: my-skill', 'description: A', `compatibility: ${'x'.repeat(550)}`)
      expect(errors('my-skill', text)).toEqual(['Compatibility exceeds 500 character limit (550 chars)'])
    })

    it('test_nfkc_normalization', () => {
      const composed = 'caf\u00e9'
      expect(errors(composed, skillMd(`name: ${composed.normalize('NFD')}`, 'description: A'))).toEqual([])
    })
  })
})

describe('test_prompt', () => {
  const one = { name: 'my-skill', description: 'A test skill', location: '/skills/my-skill/SKILL.md' }

  it('test_empty_list', () => {
    expect(toPrompt([])).toBe('<available_skills>\n</available_skills>')
  })

  it('test_single_skill', () => {
    expect(toPrompt([one])).toBe(
      [
        '<available_skills>',
        '<skill>',
        '<name>',
        'my-skill',
        '</name>',
        '<description>',
        'A test skill',
        '</description>',
        '<location>',
        '/skills/my-skill/SKILL.md',
        '</location>',
        '</skill>',
        '</available_skills>',
      ].join('\n'),
    )
  })

  it('test_multiple_skills', () => {
    const text = toPrompt([one, { ...one, name: 'other' }])
    expect(text.split('<skill>')).toHaveLength(3)
    expect(text).toContain('<name>\nother\n</name>')
  })

  it('test_special_characters_escaped, quotes too, but not the location', () => {
    const text = toPrompt([
      { name: 'x', description: 'Use <foo> & <bar> "q" \'s\'', location: "/a & b/it's/SKILL.md" },
    ])
    expect(text).toContain('Use &lt;foo&gt; &amp; &lt;bar&gt; &quot;q&quot; &#x27;s&#x27;')
    expect(text).toContain("\n/a & b/it's/SKILL.md\n")
  })
})
