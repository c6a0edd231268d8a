import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** Folders whose subfolders are areas; `depth` is the number of path segments in the name of an area. */
const SOURCES = [
  { folder: 'apps/server/src', depth: 2, prefix: '' },
  { folder: 'apps/cli/src', depth: 1, prefix: 'cli-' },
  { folder: 'libs', depth: 1, prefix: 'libs-' },
] as const;

const NOT_FOR_USERS = /spec\.ts$|\.contract\.ts$|\.repository\.ts$|(^|\/)testing\//;
/** Two consecutive words. */
const PROSE = /\p{L}[\p{L}…}'"),:;]* [("{]?\p{L}/u;
const SQL =
  /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|AND|OR|JOIN|VALUES|SET|TABLE|INDEX|LIMIT|ORDER BY|ON|AS|IN|IS|NULL|BEGIN|COMMIT|ROLLBACK|VACUUM|DESC|RETURNING)\b/;
/** SQL whose keywords are not in the literal itself, OAuth scopes, cache headers, and similar texts. */
const NOT_PROSE = /^[a-z_]+\.[a-z_]+ |^(openid|no-store|public|private)[ ,]|=\s*\$?\d|^[\w-]+ [\w-]+; |;\s*$/;

/**
 * Texts that people may read, by area: `data-ingest`, `cli-commands`, `libs-series`. One line each, in the order of
 * files.
 */
export async function textsByArea(root: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { folder, depth, prefix } of SOURCES) {
    const files = await readdir(join(root, folder), { recursive: true });
    for (const file of files.sort()) {
      if (!file.endsWith('.ts') || NOT_FOR_USERS.test(file)) continue;
      const folders = file.split('/').slice(0, -1).slice(0, depth);
      const area = prefix + (folders.length === 0 ? 'main' : folders.join('-'));
      const texts = textsOf(file, await readFile(join(root, folder, file), 'utf8'));
      if (texts.length > 0) found.set(area, [...(found.get(area) ?? []), ...texts]);
    }
  }
  return found;
}

/** The literals of a source file that are prose. Placeholders become `{…}`, and line breaks become blanks. */
export function textsOf(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const text = literalText(node);
    if (text !== undefined) {
      const line = text.replaceAll(/\s+/g, ' ').trim();
      if (isProse(line)) texts.push(line);
    }
    // The parts of a text are not collected separately, but an inserted expression may contain another text.
    for (const child of text === undefined ? childrenOf(node) : filledIn(node)) visit(child);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return texts;
}

function isProse(line: string): boolean {
  return PROSE.test(line) && !SQL.test(line) && !NOT_PROSE.test(line);
}

function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

/** Text of a literal, a template, or literals joined with +; undefined for any other node. */
function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `{…}${literal.text}`).join('');
  }
  if (!isJoin(node)) return undefined;
  const sides = [literalText(node.left), literalText(node.right)];
  if (sides.every((side) => side === undefined)) return undefined;
  return sides.map((side) => side ?? '{…}').join('');
}

/** The expressions that are inserted into a text. */
function filledIn(node: ts.Node): readonly ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (!isJoin(node)) return [];
  return [node.left, node.right].flatMap((side) => (literalText(side) === undefined ? [side] : filledIn(side)));
}

function isJoin(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}
