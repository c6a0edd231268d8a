import {
  CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
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
/**
 * Values of a document, keys and empty ones too, and signs between them; then again values, where each use of an anchor
 * counts with all that it stands for. Objects that the library makes of a text take hundreds of times its room.
 */
const MOST_VALUES = 150_000;
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
const TOO_MANY_VALUES = `a document has at most ${MOST_VALUES.toLocaleString('en')} values and signs between them, those that aliases stand for included`;
/** What is no value and no sign between them; the text of a value follows its beginning as a part without a type. */
const NO_VALUES: ReadonlySet<string | null> = new Set([
  null,
  'space',
  'newline',
  'comment',
  'byte-order-mark',
  'doc-mode',
  'flow-error-end',
]);

/**
 * Reads YAML, or JSON, which is YAML: one object, a list of objects, or several documents divided by `---`. Half a
 * megabyte takes a second or more, so this is for a thread.
 */
export function readDocument(text: string): DocumentReading {
  const tooMuch = tooDeepOrTooMany(text) ?? tooManyValues(text);
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
  /** Values that a use of the anchor stands for. */
  private sizes = new Map<string, number>();
  private aliases = 0;
  private sharedValues = 0;
  private values = 0;

  constructor(private readonly lines: LineCounter) {}

  problemsOf({ contents }: Document): DocumentProblem[] {
    this.problems = [];
    this.anchors = new Map();
    this.sizes = new Map();
    this.values += this.inspect(contents, false);
    if (this.values > MOST_VALUES) {
      this.problems.push({ line: lineOf(contents, this.lines) ?? 1, code: 'too_many', message: TOO_MANY_VALUES });
    } else if (this.aliases > MOST_ALIASES_OF_ALL || this.sharedValues > MOST_SHARED_VALUES) {
      this.problems.push({ line: lineOf(contents, this.lines) ?? 1, code: 'too_many', message: TOO_MANY_ALIASES });
    }
    return this.problems;
  }

  /**
   * No deeper than `tooDeepOrTooMany` allows.
   * @returns values that are made of the node, itself included
   */
  private inspect(node: unknown, isWithinAnchor: boolean): number {
    if (isAlias(node)) {
      this.aliases++;
      const source = this.anchors.get(node.source);
      // The library would walk through the document for each alias.
      node.resolve = () => source;
      return this.sizes.get(node.source) ?? 1;
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return 0;
    const { anchor } = node;
    if (anchor !== undefined) {
      this.anchors.set(anchor, node);
      // What is used within itself has no end.
      this.sizes.set(anchor, Infinity);
    }
    const isShared = isWithinAnchor || anchor !== undefined;
    if (isShared) this.sharedValues++;
    let size = 1;
    if (isSeq(node)) for (const item of node.items) size += this.inspect(item, isShared);
    if (isMap(node)) size += this.inspectMap(node, isShared);
    if (anchor !== undefined) this.sizes.set(anchor, size);
    return size;
  }

  private inspectMap(map: YAMLMap, isShared: boolean): number {
    const keys = new Set<unknown>();
    let size = 0;
    for (const { key, value } of map.items) {
      if (isScalar(key)) {
        if (keys.has(key.value) && this.problems.length < MOST_PROBLEMS) {
          const line = lineOf(key, this.lines) ?? 1;
          this.problems.push({ line, code: 'bad_format', message: 'Map keys must be unique' });
        }
        keys.add(key.value);
      }
      size += this.inspect(key, isShared) + this.inspect(value, isShared);
    }
    return size;
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

/** Counted while the text is divided into its parts, and no further than to the first that is too many. */
function tooManyValues(text: string): DocumentProblem | undefined {
  let parts = 0;
  let line = 1;
  for (const token of new Lexer().lex(text)) {
    if (!NO_VALUES.has(CST.tokenType(token)) && ++parts > MOST_VALUES) {
      return { line, code: 'too_many', message: TOO_MANY_VALUES };
    }
    for (let end = token.indexOf('\n'); end >= 0; end = token.indexOf('\n', end + 1)) line++;
  }
  return undefined;
}
