import { type Document, isMap, isScalar, LineCounter, parseAllDocuments, type YAMLMap } from 'yaml';
import { ConfigDocumentError, type DocumentProblem } from './config-document.errors.js';
import { type ReadObject } from './config-document.types.js';

/** Characters of a document. */
export const LONGEST_DOCUMENT = 500_000;
const MOST_OBJECTS = 2000;
/** Nothing that can be described is nested deeper; a reader that goes down with its input must not go further. */
const DEEPEST = 12;
/** Uses of anchors in one object: a few lines that are shared, and no text that grows with each of them. */
const MOST_ALIASES = 50;
/** Problems that are named. */
const MOST_PROBLEMS = 20;

/**
 * Reads YAML, or JSON, which is YAML: one object, a list of objects, or several documents divided by `---`.
 * @throws ConfigDocumentError with the lines of all problems
 */
export function readDocument(text: string): ReadObject[] {
  refuseDepth(text);
  const lines = new LineCounter();
  const documents = parse(text, lines);
  const problems: DocumentProblem[] = [];
  const found: ReadObject[] = [];
  for (const document of documents) {
    for (const error of [...document.errors, ...document.warnings]) {
      const message = error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
      problems.push({ line: lines.linePos(error.pos[0]).line, code: 'bad_format', message });
    }
    if (document.errors.length === 0) collect(document, lines, found, problems);
  }
  if (problems.length > 0) throw new ConfigDocumentError(problems.slice(0, MOST_PROBLEMS));
  if (found.length > MOST_OBJECTS) {
    const message = `a document has at most ${String(MOST_OBJECTS)} objects`;
    throw new ConfigDocumentError([{ line: found[MOST_OBJECTS]!.line, code: 'too_many', message }]);
  }
  return found;
}

function parse(text: string, lines: LineCounter): readonly Document[] {
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  return Array.isArray(documents) ? (documents as readonly Document[]) : [];
}

function collect(document: Document, lines: LineCounter, found: ReadObject[], problems: DocumentProblem[]): void {
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return;
  const nodes = isMap(contents) ? [contents] : 'items' in contents ? contents.items : [contents];
  for (const node of nodes) {
    if (isMap(node)) {
      read(document, node, lines, found, problems);
      continue;
    }
    const line = lineOf(node, lines) ?? lineOf(contents, lines) ?? 1;
    problems.push({ line, code: 'not_object', message: 'an object with a kind is needed here' });
  }
}

function read(
  document: Document,
  node: YAMLMap,
  lines: LineCounter,
  found: ReadObject[],
  problems: DocumentProblem[],
): void {
  const line = lineOf(node, lines) ?? 1;
  let members: Record<string, unknown>;
  try {
    members = node.toJS(document, { maxAliasCount: MOST_ALIASES }) as Record<string, unknown>;
  } catch {
    problems.push({ line, code: 'too_many', message: 'there are too many aliases, or one without its anchor' });
    return;
  }
  const { kind, ...fields } = members;
  if (typeof kind !== 'string') {
    problems.push({ line, code: 'required', message: 'kind is needed' });
    return;
  }
  found.push({
    kind,
    fields,
    line,
    lineOf: (path) => {
      const [name] = path.split('.');
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === name);
      return (pair && lineOf(pair.key, lines)) ?? line;
    },
  });
}

function lineOf(node: unknown, lines: LineCounter): number | undefined {
  const range = (node as { range?: readonly number[] | null } | null)?.range;
  return range ? lines.linePos(range[0]!).line : undefined;
}

/**
 * Brackets and steps of indentation bound how deep a text can be nested; texts in quotes may hold more brackets than that,
 * but not in a row of openings without closings.
 * @throws ConfigDocumentError
 */
function refuseDepth(text: string): void {
  let open = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const dashes = /^[ -]*/.exec(line)![0].replaceAll(' ', '').length;
    const isSeparator = line.startsWith('---');
    for (const character of line) {
      if (character === '[' || character === '{') open++;
      if (character === ']' || character === '}') open = Math.max(0, open - 1);
      if (open > DEEPEST) break;
    }
    const indentation = (line.length - line.trimStart().length) / 2;
    if (open <= DEEPEST && (isSeparator || dashes <= DEEPEST) && indentation <= 100) continue;
    throw new ConfigDocumentError([{ line: index + 1, code: 'bad_format', message: 'this is nested too deeply' }]);
  }
}
