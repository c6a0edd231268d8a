import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type DocumentProblem, type DocumentReading, type ReadObject } from './config-document.types.js';

/** Characters of a document. */
export const LONGEST_DOCUMENT = 500_000;
const MOST_OBJECTS = 2000;
/** Nothing that can be described is nested deeper; a reader that goes down with its input must not go further. */
const DEEPEST = 12;
/** Uses of anchors in one object: a few lines that are shared, and no text that grows with each of them. */
const MOST_ALIASES = 50;
/** Uses of anchors in a document, and values below anchors: each object that uses some may read all of them again. */
const MOST_ALIASES_OF_ALL = 1000;
const MOST_SHARED_VALUES = 2000;
/** Problems of reading that are named. */
const MOST_PROBLEMS = 20;
/** Some messages of the library quote what they found, however long it is. */
const LONGEST_MESSAGE = 200;
const TOO_MANY_ALIASES = 'there are too many aliases, or one without its anchor';

/**
 * Reads YAML, or JSON, which is YAML: one object, a list of objects, or several documents divided by `---`. Half a
 * megabyte takes a second or more, so this is for a thread.
 */
export function readDocument(text: string): DocumentReading {
  const tooMuch = tooDeepOrTooMany(text);
  if (tooMuch) return refused(tooMuch);
  const lines = new LineCounter();
  const documents = parse(text, lines);
  const inspection = new Inspection(lines);
  const problems: DocumentProblem[] = [];
  const found: ReadObject[] = [];
  for (const document of documents) {
    for (const error of [...document.errors, ...document.warnings]) {
      const message = error.message.split('\n', 1)[0]!.replace(/ at line \d+, column \d+:?$/, '');
      const { line } = lines.linePos(error.pos[0]);
      problems.push({ line, code: 'bad_format', message: message.slice(0, LONGEST_MESSAGE) });
    }
    if (document.errors.length > 0) continue;
    const inspected = inspection.problemsOf(document);
    problems.push(...inspected);
    if (inspected.length === 0) collect(document, lines, found, problems);
  }
  if (problems.length > 0) return refused(...problems.slice(0, MOST_PROBLEMS));
  const first = found[MOST_OBJECTS];
  return first ? refused(tooManyObjects(first.line)) : { objects: found, problems: [] };
}

const refused = (...problems: DocumentProblem[]): DocumentReading => ({ objects: [], problems });

function tooManyObjects(line: number): DocumentProblem {
  return { line, code: 'too_many', message: `a document has at most ${String(MOST_OBJECTS)} objects` };
}

function parse(text: string, lines: LineCounter): readonly Document[] {
  // The library compares each key with all before it; `Inspection` looks them up.
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
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

/**
 * What the library would look at again and again: keys that come twice, and where aliases lead. Once through each document,
 * whatever it holds.
 */
class Inspection {
  private problems: DocumentProblem[] = [];
  private anchors = new Map<string, Scalar | YAMLMap | YAMLSeq>();
  private aliases = 0;
  private sharedValues = 0;

  constructor(private readonly lines: LineCounter) {}

  problemsOf({ contents }: Document): DocumentProblem[] {
    this.problems = [];
    this.anchors = new Map();
    this.inspect(contents, false);
    if (this.aliases > MOST_ALIASES_OF_ALL || this.sharedValues > MOST_SHARED_VALUES) {
      this.problems.push({ line: lineOf(contents, this.lines) ?? 1, code: 'too_many', message: TOO_MANY_ALIASES });
    }
    return this.problems;
  }

  /** No deeper than `refuseDepth` allows. */
  private inspect(node: unknown, isWithinAnchor: boolean): void {
    if (isAlias(node)) {
      this.aliases++;
      const source = this.anchors.get(node.source);
      // The library would walk through the document for each alias.
      node.resolve = () => source;
      return;
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return;
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node);
    const isShared = isWithinAnchor || node.anchor !== undefined;
    if (isShared) this.sharedValues++;
    if (isSeq(node)) for (const item of node.items) this.inspect(item, isShared);
    if (isMap(node)) this.inspectMap(node, isShared);
  }

  private inspectMap(map: YAMLMap, isShared: boolean): void {
    const keys = new Set<unknown>();
    for (const { key, value } of map.items) {
      if (isScalar(key)) {
        if (keys.has(key.value) && this.problems.length < MOST_PROBLEMS) {
          const line = lineOf(key, this.lines) ?? 1;
          this.problems.push({ line, code: 'bad_format', message: 'Map keys must be unique' });
        }
        keys.add(key.value);
      }
      this.inspect(key, isShared);
      this.inspect(value, isShared);
    }
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
    problems.push({ line, code: 'too_many', message: TOO_MANY_ALIASES });
    return;
  }
  const { kind, ...fields } = members;
  if (typeof kind !== 'string') {
    problems.push({ line, code: 'required', message: 'kind is needed' });
    return;
  }
  found.push({ kind, fields, line, lines: linesOfMembers(node, lines) });
}

function linesOfMembers(node: YAMLMap, lines: LineCounter): ReadonlyMap<string, number> {
  return new Map(
    node.items.flatMap(({ key }): [string, number][] => {
      const line = lineOf(key, lines);
      return isScalar(key) && line !== undefined ? [[String(key.value), line]] : [];
    }),
  );
}

function lineOf(node: unknown, lines: LineCounter): number | undefined {
  const range = (node as { range?: readonly number[] | null } | null)?.range;
  return range ? lines.linePos(range[0]!).line : undefined;
}

/**
 * Brackets and steps of indentation bound how deep a text can be nested; texts in quotes may hold more brackets than that,
 * but not in a row of openings without closings.
 */
function tooDeepOrTooMany(text: string): DocumentProblem | undefined {
  let open = 0;
  let separators = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const dashes = /^[ -]*/.exec(line)![0].replaceAll(' ', '').length;
    const isSeparator = line.startsWith('---');
    if (isSeparator && ++separators > MOST_OBJECTS) return tooManyObjects(index + 1);
    for (const character of line) {
      if (character === '[' || character === '{') open++;
      if (character === ']' || character === '}') open = Math.max(0, open - 1);
      if (open > DEEPEST) break;
    }
    const indentation = (line.length - line.trimStart().length) / 2;
    if (open <= DEEPEST && (isSeparator || dashes <= DEEPEST) && indentation <= 100) continue;
    return { line: index + 1, code: 'bad_format', message: 'this is nested too deeply' };
  }
  return undefined;
}
