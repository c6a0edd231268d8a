import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SERVER = 'apps/server/src';

interface Offence {
  rule: string;
  to: string;
  file: string;
  text: string;
}

const DETECTOR = 'libs/detection/src/series';
const ROOMS = ['record', 'points', 'season', 'expectation', 'judgement', 'learning', 'anomaly', ''];

/** A layer of the detector that imports the next layer. The last layer imports a file outside of the layers. */
function roomOffence(room: string, above: string): [string, Offence] {
  const to = join(DETECTOR, above, 'above.ts');
  const from = above === '' ? '../above.js' : `../${above}/above.js`;
  return [
    `a layer of the detector that imports a layer above: ${room}`,
    {
      rule: `detector-${room}-knows-nothing-above`,
      file: `${DETECTOR}/${room}/offence.ts`,
      to,
      text: `import { above } from '${from}';\nexport const a = above;\n`,
    },
  ];
}

/** Files that break exactly one rule each. */
const OFFENCES: Record<string, Offence> = {
  ...Object.fromEntries(ROOMS.slice(0, -1).map((room, index) => roomOffence(room, ROOMS[index + 1]!))),
  'a cycle': {
    rule: 'no-cycles',
    file: `${SERVER}/data/ring/one.service.ts`,
    to: `${SERVER}/data/ring/two.service.ts`,
    text: `import { two } from './two.service.js';\nexport const one = (): unknown => two;\n`,
  },
  'a pure lib that reads files': {
    rule: 'libs-stay-pure',
    file: 'libs/detection/src/reads-files.ts',
    to: 'fs',
    text: `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n`,
  },
  'a lib that imports an app': {
    rule: 'libs-do-not-know-apps',
    file: 'libs/series/src/knows-app.ts',
    to: `${SERVER}/data/tea/tea.service.ts`,
    text: `import { tea } from '../../../apps/server/src/data/tea/tea.service.js';\nexport const t = tea;\n`,
  },
  'a storage lib that imports Nest': {
    rule: 'libs-do-not-know-nest',
    file: 'libs/series/src/knows-nest.ts',
    to: 'node_modules/@nestjs/common/',
    text: `import { Injectable } from '@nestjs/common';\nexport const i = Injectable;\n`,
  },
  'a deep import into a lib': {
    rule: 'libs-are-used-by-their-face',
    file: `${SERVER}/data/tea/deep.service.ts`,
    to: 'libs/detection/src/median.ts',
    text: `import { median } from '../../../../../libs/detection/src/median.js';\nexport const m = median;\n`,
  },
  'a deep import from a lib into another': {
    rule: 'libs-are-used-by-their-face',
    file: 'libs/series/src/deep.ts',
    to: 'libs/detection/src/median.ts',
    text: `import { median } from '../../detection/src/median.js';\nexport const m = median;\n`,
  },
  'a server that imports the evaluation': {
    rule: 'evaluation-is-for-measuring',
    file: `${SERVER}/tea/measuring.service.ts`,
    to: 'libs/evaluation/src/index.ts',
    text: `import { score } from '#libs/evaluation';\nexport const s = score;\n`,
  },
  'a detector that imports its tests': {
    rule: 'evaluation-is-for-measuring',
    file: 'libs/detection/src/knows-tests.ts',
    to: 'libs/detection/src/testing/index.ts',
    text: `import { seeded } from './testing/index.js';\nexport const s = seeded;\n`,
  },
  'SQL in a service': {
    rule: 'sql-stays-in-persistence',
    file: `${SERVER}/data/tea/sql.service.ts`,
    to: 'node_modules/typeorm/',
    text: `import { DataSource } from 'typeorm';\nexport const d = DataSource;\n`,
  },
  'a large package that is imported at every start': {
    rule: 'loaded-when-needed',
    file: `${SERVER}/data/tea/paid.service.ts`,
    to: 'node_modules/stripe/',
    text: `import Stripe from 'stripe';\nexport const s = Stripe;\n`,
  },
  'a repository of another area': {
    rule: 'areas-meet-at-their-face',
    file: `${SERVER}/views/cake/cake.service.ts`,
    to: `${SERVER}/data/tea/tea.repository.ts`,
    text: `import { rows } from '../../data/tea/tea.repository.js';\nexport const r = rows;\n`,
  },
  'a DTO of another area': {
    rule: 'areas-meet-at-their-face',
    file: `${SERVER}/views/cake/answer.service.ts`,
    to: `${SERVER}/data/tea/dto/tea.dto.ts`,
    text: `import { TeaDto } from '../../data/tea/dto/tea.dto.js';\nexport const d = TeaDto;\n`,
  },
  'a business area imported by common': {
    rule: 'common-knows-nothing-above',
    file: `${SERVER}/common/tea-aware.ts`,
    to: `${SERVER}/data/tea/tea.service.ts`,
    text: `import { tea } from '../data/tea/tea.service.js';\nexport const t = tea;\n`,
  },
  'an entity of another area outside a repository': {
    rule: 'areas-meet-at-their-face',
    file: `${SERVER}/views/cake/row.service.ts`,
    to: `${SERVER}/data/tea/tea.entity.ts`,
    text: `import { TeaEntity } from '../../data/tea/tea.entity.js';\nexport const e = TeaEntity;\n`,
  },
  'a controller of another area in a module': {
    rule: 'entities-are-for-repositories',
    file: `${SERVER}/views/cake/borrowed.module.ts`,
    to: `${SERVER}/data/tea/tea.controller.ts`,
    text: `import { tea } from '../../data/tea/tea.controller.js';\nexport const t = tea;\n`,
  },
  'a platform area that imports people': {
    rule: 'platform-knows-nothing-above',
    file: `${SERVER}/platform/vault/vault.service.ts`,
    to: `${SERVER}/people/guest/guest.service.ts`,
    text: `import { guest } from '../../people/guest/guest.service.js';\nexport const g = guest;\n`,
  },
  'a people area that imports data': {
    rule: 'people-knows-nothing-above',
    file: `${SERVER}/people/guest/drinks.service.ts`,
    to: `${SERVER}/data/tea/tea.service.ts`,
    text: `import { tea } from '../../data/tea/tea.service.js';\nexport const t = tea;\n`,
  },
  'a data area that imports analysis': {
    rule: 'data-knows-nothing-above',
    file: `${SERVER}/data/tea/taste.service.ts`,
    to: `${SERVER}/analysis/taste/taste.service.ts`,
    text: `import { taste } from '../../analysis/taste/taste.service.js';\nexport const t = taste;\n`,
  },
  'an analysis area that imports alerting': {
    rule: 'analysis-knows-nothing-above',
    file: `${SERVER}/analysis/taste/bell.service.ts`,
    to: `${SERVER}/alerting/bell/bell.service.ts`,
    text: `import { bell } from '../../alerting/bell/bell.service.js';\nexport const b = bell;\n`,
  },
  'a teaching area that imports alerting': {
    rule: 'teaching-knows-nothing-above',
    file: `${SERVER}/teaching/recipe/bell.service.ts`,
    to: `${SERVER}/alerting/bell/bell.service.ts`,
    text: `import { bell } from '../../alerting/bell/bell.service.js';\nexport const b = bell;\n`,
  },
  'an alerting area that imports a view': {
    rule: 'alerting-knows-nothing-above',
    file: `${SERVER}/alerting/bell/cake.service.ts`,
    to: `${SERVER}/views/cake/other.service.ts`,
    text: `import { cake } from '../../views/cake/other.service.js';\nexport const c = cake;\n`,
  },
  'a console that imports the server': {
    rule: 'console-talks-http',
    file: 'apps/console/src/shortcut.ts',
    to: `${SERVER}/data/tea/tea.service.ts`,
    text: `import { tea } from '../../server/src/data/tea/tea.service.js';\nexport const t = tea;\n`,
  },
  'a feature of the console that imports another one': {
    rule: 'console-features-stand-alone',
    file: 'apps/console/src/features/tea/tea.page.ts',
    to: 'apps/console/src/features/cake/cake.page.ts',
    text: `import { cake } from '../cake/cake.page.js';\nexport const t = cake;\n`,
  },
  'a development package in the product': {
    rule: 'no-dev-packages-in-product',
    file: `${SERVER}/data/tea/dev.service.ts`,
    to: 'node_modules/fast-check/',
    text: `import { assert } from 'fast-check';\nexport const a = assert;\n`,
  },
};

/** Files that the violations import, and imports that no rule may report. */
const LEGAL: Record<string, string> = {
  ...Object.fromEntries(ROOMS.map((room) => [join(DETECTOR, room, 'above.ts'), 'export const above = 1;\n'])),
  [`${DETECTOR}/anomaly/knows-below.ts`]: `import { above } from '../record/above.js';\nexport const a = above;\n`,
  [`${SERVER}/data/ring/two.service.ts`]: `import { one } from './one.service.js';\nexport const two = (): unknown => one;\n`,
  [`${SERVER}/data/tea/tea.repository.ts`]: `import { DataSource } from 'typeorm';\nexport const rows = DataSource;\n`,
  [`${SERVER}/data/tea/tea.service.ts`]: `import { rows } from './tea.repository.js';\nexport const tea = (): unknown => rows;\n`,
  [`${SERVER}/data/tea/lazily-paid.service.ts`]: `import type Stripe from 'stripe';\nexport const s = async (): Promise<typeof Stripe> => (await import('stripe')).default;\n`,
  [`${SERVER}/data/tea/tea.entity.ts`]: `import { Entity } from 'typeorm';\nexport const TeaEntity = Entity;\n`,
  [`${SERVER}/data/tea/tea.controller.ts`]: `export const tea = 1;\n`,
  [`${SERVER}/data/tea/dto/tea.dto.ts`]: `export const TeaDto = 1;\n`,
  [`${SERVER}/data/tea/tea-ref.dto.ts`]: `export const TeaRefDto = 1;\n`,
  [`${SERVER}/data/tea/tea.functions.ts`]: `export const teaOf = 1;\n`,
  [`${SERVER}/views/cake/parts.service.ts`]: `import { TeaRefDto } from '../../data/tea/tea-ref.dto.js';\nimport { teaOf } from '../../data/tea/tea.functions.js';\nexport const p = [TeaRefDto, teaOf];\n`,
  [`${SERVER}/people/guest/guest.service.ts`]: `export const guest = 1;\n`,
  [`${SERVER}/analysis/taste/taste.service.ts`]: `export const taste = 1;\n`,
  [`${SERVER}/alerting/bell/bell.service.ts`]: `export const bell = 1;\n`,
  [`${SERVER}/views/cake/cake.repository.ts`]: `import { TeaEntity } from '../../data/tea/tea.entity.js';\nexport const e = TeaEntity;\n`,
  [`${SERVER}/views/cake/other.service.ts`]: `import { tea } from '../../data/tea/tea.service.js';\nexport const cake = tea;\n`,
  [`${SERVER}/views/cake/face.service.ts`]: `import { median } from '#libs/detection';\nexport const m = median;\n`,
  'apps/console/src/features/cake/cake.page.ts': `export const cake = 1;\n`,
  'apps/server/migrations/1-tea.ts': `import { QueryRunner } from 'typeorm';\nexport const q = QueryRunner;\n`,
  'libs/detection/src/index.ts': `export * from './median.js';\n`,
  'libs/detection/src/median.ts': `export const median = 1;\n`,
  'libs/detection/src/testing/index.ts': `export { seeded } from './seeded.js';\n`,
  'libs/detection/src/testing/seeded.ts': `export const seeded = 1;\n`,
  'libs/evaluation/src/index.ts': `export { score } from './score.js';\n`,
  'libs/evaluation/src/score.ts': `import { seeded } from '#libs/detection/testing';\nexport const score = seeded;\n`,
  'apps/cli/src/bench/nab.ts': `import { score } from '#libs/evaluation';\nexport const s = score;\n`,
  'libs/detection/src/median.spec.ts': `import { readFileSync } from 'node:fs';\nimport { assert } from 'fast-check';\nexport const x = [readFileSync, assert];\n`,
};

/** Areas that form a cycle although no file does: through two modules, and through a folder within an area. */
const CIRCLES: Record<string, string> = {
  [`${SERVER}/data/hen/hen.service.ts`]: `import { shell } from '../egg/shell.service.js';\nexport const hen = shell;\n`,
  [`${SERVER}/data/hen/feather.service.ts`]: `export const feather = 1;\n`,
  [`${SERVER}/data/egg/shell.service.ts`]: `export const shell = 1;\n`,
  [`${SERVER}/data/egg/yolk.service.ts`]: `import { feather } from '../hen/feather.service.js';\nexport const yolk = feather;\n`,
  [`${SERVER}/views/fox/dto/fox.dto.ts`]: `import { goose } from '../../goose/goose.types.js';\nexport const fox = goose;\n`,
  [`${SERVER}/views/fox/fox.types.ts`]: `export const den = 1;\n`,
  [`${SERVER}/views/goose/goose.types.ts`]: `export const goose = 1;\n`,
  [`${SERVER}/views/goose/dto/goose.dto.ts`]: `import { den } from '../../fox/fox.types.js';\nexport const nest = den;\n`,
};

/** Texts with one violation per line, which ends with the name of the expected rule. */
const LINT_OFFENCES = `
import { Ticker } from './clock.js'; // @typescript-eslint/consistent-type-imports
async function later(): Promise<void> {
  await Promise.resolve();
}
export function start(): void {
  later(); // typescript(no-floating-promises)
}
export const tick: Ticker | undefined = undefined;
export const home = process.env.HOME; // no-restricted-properties
export const count: number = home; // typescript(TS2322)
`;
/** Injection by type needs the class at run time, so the linter must not require a type-only import here. */
const LINT_DECORATED = `
import { Clock } from './clock.js';
const Injectable = (): ClassDecorator => () => undefined;
@Injectable()
export class Timer {
  constructor(readonly clock: Clock) {}
}
`;
const LINT_SPEC_OFFENCES = `
it.only('is alone', () => { // jest/no-focused-tests
  expect(1).toBe(1);
});
it.skip('is asleep', () => { // jest/no-disabled-tests
  expect(1).toBe(1);
});
`;

/** Runs a tool of the repository and returns its standard output, regardless of its exit code. */
function run(folder: string, script: string, ...args: string[]): Promise<string> {
  return new Promise((done, fail) => {
    const command = [resolve(ROOT, 'node_modules', script), ...args];
    execFile(process.execPath, command, { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (stdout === '') fail(new Error(stderr, { cause: error }));
      else done(stdout);
    });
  });
}

describe('the import rules', () => {
  let folder: string;
  let found: { rule: string; from: string; to: string }[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-rules-'));
    await symlink(resolve(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const copied = ['.dependency-cruiser.cjs', '.dependency-cruiser.areas.cjs', 'package.json', 'tsconfig.json'];
    for (const file of [...copied, 'eslint.config.mjs', '.oxlintrc.json']) {
      await copyFile(resolve(ROOT, file), join(folder, file));
    }
    await cp(resolve(ROOT, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true });
    const offences = Object.values(OFFENCES).map(({ file, text }): [string, string] => [file, text]);
    const linted: [string, string][] = [
      [`${SERVER}/lint/clock.ts`, 'export class Clock {\n  now = 1;\n}\nexport type Ticker = Clock;\n'],
      [`${SERVER}/lint/decorated.ts`, LINT_DECORATED],
      [`${SERVER}/lint/timer.ts`, LINT_OFFENCES],
      [`${SERVER}/lint/timer.spec.ts`, LINT_SPEC_OFFENCES],
    ];
    for (const [file, text] of [...offences, ...Object.entries(LEGAL), ...Object.entries(CIRCLES), ...linted]) {
      await mkdir(join(folder, dirname(file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const report = await run(
      folder,
      'dependency-cruiser/bin/dependency-cruise.mjs',
      ...['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'apps', 'libs'],
    );
    const { summary } = JSON.parse(report) as {
      summary: { violations: { rule: { name: string }; from: string; to: string }[] };
    };
    found = summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(Object.keys(OFFENCES))('report %s', (name) => {
    const { rule, file, to } = OFFENCES[name]!;
    expect(found).toContainEqual({ rule, from: file, to: expect.stringContaining(to) });
  });

  it('are each tested with a violation', async () => {
    const config = (await import(resolve(ROOT, '.dependency-cruiser.cjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    const proven = new Set(Object.values(OFFENCES).map(({ rule }) => rule));
    expect(config.default.forbidden.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([]);
  });

  it('report areas that form a cycle, and no others', async () => {
    const report = await run(
      folder,
      'dependency-cruiser/bin/dependency-cruise.mjs',
      ...['--config', '.dependency-cruiser.areas.cjs', '--output-type', 'json', SERVER],
    );
    const { summary } = JSON.parse(report) as { summary: { violations: { rule: { name: string }; from: string }[] } };
    const inCircles = new Set(
      summary.violations
        .filter(({ rule }) => rule.name === 'areas-form-no-circle')
        .map(({ from }) => from.slice(SERVER.length + 1)),
    );
    // Two areas of the violations above form a cycle as well.
    expect([...inCircles].sort()).toEqual(expect.arrayContaining(['data/egg', 'data/hen', 'views/fox', 'views/goose']));
    expect(inCircles).not.toContain('people/guest');
  });

  it('report nothing else', () => {
    const offenders = new Set(Object.values(OFFENCES).map(({ file }) => file));
    // Either end of a cycle may be reported.
    const others = found.filter(({ from, to }) => !offenders.has(from) && !offenders.has(to));
    expect(others).toEqual([]);
  });

  it('are complemented by lint rules that report exactly the violations of the samples', async () => {
    const [byText, byTypes] = await Promise.all([
      run(folder, 'eslint/bin/eslint.js', '--format', 'json', `${SERVER}/lint`),
      run(folder, 'oxlint/bin/oxlint', '--format', 'json', `${SERVER}/lint`),
    ]);
    const found = (JSON.parse(byText) as { filePath: string; messages: { ruleId: string; line: number }[] }[]).flatMap(
      ({ filePath, messages }) => messages.map(({ ruleId, line }) => ({ file: filePath, rule: ruleId, line })),
    );
    const { diagnostics } = JSON.parse(byTypes) as {
      diagnostics: { filename: string; code: string; labels: { span: { line: number } }[] }[];
    };
    for (const { filename, code, labels } of diagnostics) {
      found.push({ file: filename, rule: code, line: labels[0]!.span.line });
    }
    const wanted = (text: string) =>
      text.split('\n').flatMap((line, index) => {
        const rule = /\/\/ (\S+)$/.exec(line)?.[1];
        return rule === undefined ? [] : [`${String(index + 1)}: ${rule}`];
      });
    const got = (name: string) =>
      found
        .filter(({ file }) => file.endsWith(name))
        .sort((a, b) => a.line - b.line)
        .map(({ line, rule }) => `${String(line)}: ${rule}`);
    expect(got('/timer.ts')).toEqual(wanted(LINT_OFFENCES));
    expect(got('/decorated.ts')).toEqual([]);
    expect(got('/timer.spec.ts')).toEqual(wanted(LINT_SPEC_OFFENCES));
  }, 60_000);
});
