import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '@shared/tokens'

/** Counted with o200k; the estimate must be at least two thirds and at most one and a half times of it. */
const counted: readonly (readonly [what: string, text: string, tokens: number])[] = [
  [
    'English prose',
    'Use this skill when the user asks to extract tables from a PDF file. It reads every page, finds the rows, and writes a spreadsheet next to the original document.',
    34,
  ],
  [
    'a description with quotes',
    "description: \"Create, edit, and analyse spreadsheets. Triggers: 'open this xlsx', 'add a column', or any .csv, .tsv file.\"",
    35,
  ],
  [
    'a shell command',
    'python scripts/extract_tables.py --input "report.pdf" --output ./out/tables.csv --pages 1-20',
    25,
  ],
  [
    'Python code',
    'def read_rows(path):\n    with open(path, newline="") as handle:\n        for row in csv.DictReader(handle):\n            yield {key.strip(): value for key, value in row.items()}\n',
    40,
  ],
  [
    'JSON',
    '{"name": "pdf-tables", "version": "1.2.0", "requires": {"bins": ["pdftotext"], "env": ["OCR_API_KEY"]}}',
    39,
  ],
  [
    'a Markdown table',
    '| Option | Meaning | Default |\n| --- | --- | --- |\n| `--pages` | Which pages are read | all |\n| `--lang` | Language of the text | eng |\n',
    40,
  ],
  [
    'German',
    'Diese Fertigkeit liest jede Seite des Dokuments, sucht die Zeilen der Tabellen und schreibt sie in eine neue Datei.',
    24,
  ],
  [
    'French',
    'Cette compétence lit chaque page du document, cherche les lignes des tableaux et les écrit dans un nouveau fichier.',
    21,
  ],
  [
    'Polish',
    'Ta umiejętność czyta każdą stronę dokumentu, szuka wierszy tabel i zapisuje je w nowym pliku.',
    31,
  ],
  [
    'Vietnamese',
    'Kỹ năng này đọc từng trang của tài liệu, tìm các hàng trong bảng và ghi chúng vào một tệp mới.',
    25,
  ],
  [
    'Russian',
    'Этот навык читает каждую страницу документа, находит строки таблиц и записывает их в новый файл.',
    23,
  ],
  [
    'Greek',
    'Αυτή η δεξιότητα διαβάζει κάθε σελίδα του εγγράφου και γράφει τις γραμμές των πινάκων σε νέο αρχείο.',
    38,
  ],
  ['Arabic', 'تقرأ هذه المهارة كل صفحة من المستند وتبحث عن صفوف الجداول وتكتبها في ملف جديد.', 24],
  ['Hindi', 'यह कौशल दस्तावेज़ के हर पृष्ठ को पढ़ता है और तालिकाओं की पंक्तियों को नई फ़ाइल में लिखता है।', 33],
  ['Thai', 'ทักษะนี้อ่านทุกหน้าของเอกสาร ค้นหาแถวของตาราง และเขียนลงในไฟล์ใหม่', 27],
  ['Chinese', '此技能读取文档的每一页，查找表格中的行，并将其写入新文件。', 24],
  ['Japanese', 'このスキルは文書の各ページを読み取り、表の行を見つけて新しいファイルに書き込みます。', 32],
  ['Korean', '이 기술은 문서의 모든 페이지를 읽고 표의 행을 찾아 새 파일에 씁니다.', 23],
]

describe('estimateTokens', () => {
  it('is 0 for no text and more than 0 for any other', () => {
    expect(estimateTokens('')).toBe(0)
    fc.assert(fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => estimateTokens(text) > 0))
  })

  it.each(counted)('is near the count of a real tokenizer for %s', (_what, text, tokens) => {
    expect(estimateTokens(text) / tokens).toBeGreaterThan(0.67)
    expect(estimateTokens(text) / tokens).toBeLessThan(1.5)
  })

  it('grows with what is added to a text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(estimateTokens(a + b)).toBeGreaterThanOrEqual(estimateTokens(a))
      }),
    )
  })

  it('counts at most one and a half tokens more for two parts than for both together', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const parts = estimateTokens(a) + estimateTokens(b)
        expect(Math.abs(parts - estimateTokens(a + b))).toBeLessThanOrEqual(4)
      }),
    )
  })

  it('counts a Chinese text at more than half a token per character, where characters / 4 says a quarter', () => {
    const text = '从文件中提取表格并检查每一行'
    expect(estimateTokens(text)).toBeGreaterThan(text.length / 2)
  })

  it('takes the letters of a long word for more than one token, a common short one for one', () => {
    expect(estimateTokens('the')).toBe(1)
    expect(estimateTokens('internationalisation')).toBeGreaterThanOrEqual(4)
  })
})
