import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';

const ROOT = resolve(import.meta.dirname, '../..');

interface Names {
  names: ESLint.Plugin;
  REFUSED_WORDS: Record<string, string>;
}

/** Each declares a name with a refused word. */
const OFFENCES: Record<string, string> = {
  'a variable': 'const wayOut = 1;',
  'a constant': 'const MAX_UNDER_WAY = 3;',
  'a function': 'function told(): void {}',
  'a parameter': 'const of = (madeBefore: number) => madeBefore;',
  'a parameter property': 'class Tea { constructor(private readonly closedWays: Tea) {} }',
  'a renamed binding': 'const { at: spentAt } = tea;',
  'a rest element': 'const { at, ...untold } = tea;',
  'a class': 'class LeavingTea {}',
  'an interface': 'interface TroubledTea {}',
  'a type': "type Leave = 'tea';",
  'a member of an interface': 'interface Tea { isTold: boolean }',
  'a property': 'class Tea { dueAt = 1; }',
  'a method': 'class Tea { leave(): void {} }',
  'a private member': 'class Tea { #ways = 1; }',
  'a private method': 'class Tea { #tellAll(): void {} }',
  'a flag': 'const hasNews = true;',
};

const KEPT = `
  const highway = 1;
  const always = { made: true, way: 2 };
  const { made } = always;
  interface Tea { isOverdue: boolean; residue: 'past_due'; leaves: number; toldstone: string; newsletter: boolean; storyteller: 1 }
  export class AdminAlertWayDto {}
  export const sign = (tea: Tea) => tea.told;
`;

describe('the naming rules', () => {
  let complaints: (rule: string, text: string) => string[];
  let refused: Record<string, string>;

  beforeAll(async () => {
    const { names, REFUSED_WORDS } = (await import(resolve(ROOT, 'scripts/lint/names.mjs'))) as Names;
    refused = REFUSED_WORDS;
    const linter = new Linter();
    complaints = (rule, text) => {
      const config: Linter.Config = {
        files: ['**/*.ts'],
        languageOptions: { parser: tseslint.parser },
        plugins: { names },
        rules: { [`names/${rule}`]: 'error' },
      };
      return linter.verify(text, config, 'tea.service.ts').map(({ message }) => message);
    };
  });

  it.each(Object.entries(OFFENCES))('reject a refused word in %s', (_, text) => {
    expect(complaints('words', text)).toEqual([expect.stringMatching(/^`.+`: say .+ instead of ".+"\.$/)]);
  });

  it('accept names that only look refused or are declared elsewhere', () => {
    expect(complaints('words', KEPT)).toEqual([]);
  });

  it('are listed in CONTRIBUTING.md', async () => {
    const section =
      /\n### Names\n([^]*?)\n## /.exec(await readFile(resolve(ROOT, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? '';
    const rows = [...section.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell]) => cell!.split(', '));
    const forms = { ways: 'way', untold: 'told' } as Record<string, string>;
    expect(Object.keys(refused).filter((word) => !rows.includes(forms[word] ?? word))).toEqual([]);
  });

  it('require that injectables end in Service, and that one is named after the file', () => {
    expect(complaints('service-class', '@Injectable()\nexport class Teas {}')).toEqual([
      '`Teas`: an injectable of *.service.ts ends in Service.',
      '`Teas`: an injectable is named after its file: `TeaService`, or rename the file.',
    ]);
    expect(complaints('service-class', '@Injectable()\nexport class CupService {}')).toEqual([
      '`CupService`: an injectable is named after its file: `TeaService`, or rename the file.',
    ]);
    expect(
      complaints('service-class', '@Injectable()\nexport class TeaService {}\n@Injectable()\nclass CupService {}'),
    ).toEqual([]);
    expect(complaints('service-class', 'export class Leaf {}')).toEqual([]);
  });
});
