import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const CONSTANT = /^[A-Z][A-Z\d_]*$/;

/** Functions and classes that a file declares, and exported values that are not constants by name, with their lines. */
function behaviourIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    const { line } = source.getLineAndCharacterOfPosition(statement.getStart());
    return behaviourOf(statement).map((what) => `${file}:${String(line + 1)}: ${what}`);
  });
}

function behaviourOf(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return [`function ${statement.name?.text ?? ''}`];
  if (ts.isClassDeclaration(statement)) return [`class ${statement.name?.text ?? ''}`];
  if (ts.isExportDeclaration(statement)) return passedOn(statement).map((name) => `passes on ${name}`);
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const value = initializer && withoutCasts(initializer);
    if (!value) return [];
    if (ts.isFunctionLike(value)) return [`function ${name.getText()}`];
    return ts.isClassLike(value) ? [`class ${name.getText()}`] : [];
  });
}

const withoutCasts = (value: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isSatisfiesExpression(value)
    ? withoutCasts(value.expression)
    : value;

function passedOn({ isTypeOnly, exportClause }: ts.ExportDeclaration): string[] {
  if (isTypeOnly) return [];
  if (!exportClause || !ts.isNamedExports(exportClause)) return ['*'];
  const values = exportClause.elements.filter((element) => !element.isTypeOnly);
  return values.map(({ name }) => name.text).filter((name) => !CONSTANT.test(name));
}

describe('*.types.ts files', () => {
  let behaviour: ReadonlyMap<string, string[]>;
  beforeAll(async () => {
    const { stdout } = await run(
      'git',
      ['ls-files', '--cached', '--others', '--exclude-standard', 'apps/**/*.types.ts', 'libs/**/*.types.ts'],
      { cwd: ROOT },
    );
    const files = [...new Set(stdout.trim().split('\n'))];
    const entries = await Promise.all(
      files.map(async (file): Promise<[string, string[]]> => {
        // The index still contains removed files.
        const text = await readFile(resolve(ROOT, file), 'utf8').catch(() => '');
        return [file, behaviourIn(file, text)];
      }),
    );
    behaviour = new Map(entries);
  });

  it('contain only types and constants (functions: *.functions.ts, answers: *.dto.ts, errors: *.errors.ts)', () => {
    expect(behaviour.size).toBeGreaterThan(50);
    const offences = [...behaviour.values()].flat();
    expect(offences).toEqual([]);
  });

  it('are reported if they contain anything else', () => {
    const text = [
      "export { WEEKDAYS, type Weekday } from './weekdays.js';",
      "export type { Plan } from './plan.types.js';",
      'export interface Tea { brew(): void; sugar: () => number }',
      'export type Brew = new (leaf: string) => Tea;',
      "export const TEAS = ['green', 'black'] as const;",
      "export const TEA = Symbol('TEA');",
      'export const LIMIT = { name: "cups", points: () => 3 };',
      'export declare const LEAF: unique symbol;',
      'export function brew(): void {}',
      'const strength = (minutes: number): number => minutes;',
      'export class Cup {}',
      'export const Saucer = class {};',
      'export const pot = (function () {} as () => void);',
      "export { pour } from './pour.js';",
      "export * from './cup.js';",
    ].join('\n');
    expect(behaviourIn('tea.types.ts', text)).toEqual([
      'tea.types.ts:9: function brew',
      'tea.types.ts:10: function strength',
      'tea.types.ts:11: class Cup',
      'tea.types.ts:12: class Saucer',
      'tea.types.ts:13: function pot',
      'tea.types.ts:14: passes on pour',
      'tea.types.ts:15: passes on *',
    ]);
  });
});
