import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type DocumentProblem, type DocumentReading, type ReadObject } from './config-document.types.js';
import {
  MAX_OBJECTS,
  MAX_VALUES,
  problemOfText,
  problemOfTokens,
  TOO_MANY_VALUES,
  tooManyObjects,
} from './document-shape.js';

/** Maximum length of a document, characters. */
export const LONGEST_DOCUMENT = 500_000;
/**
 * Maximum number of uses of anchors in one object: enough for shared lines, too few for a text that grows with each
 * use.
 */
const MAX_ALIASES = 50;
/**
 * Maximum number of uses of anchors in a document, and of values below anchors: each object that uses some may read all
 * of them again.
 */
const MAX_ALIASES_OF_ALL = 1000;
const MAX_SHARED_VALUES = 2000;
/** Maximum number of reported problems. */
const MAX_PROBLEMS = 20;
/** Some messages of the library quote the text, whatever its length. */
const LONGEST_MESSAGE = 200;
const TOO_MANY_ALIASES = 'there are too many aliases, or one without its anchor';

/**
 * Reads YAML, or JSON, which is YAML: one object, a list of objects, or several documents separated by `---`. Half a
 * megabyte takes a second or more, so this runs in a thread.
 */
export function readDocument(text: string): DocumentReading {
  const tooMuch = problemOfText(text);
  if (tooMuch) return refused(tooMuch);
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  for (const token of tokens) {
    const problem = problemOfTokens(token, lines);
    if (problem) return refused(problem);
  }
  const documents = compose(tokens);
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
  if (problems.length > 0) return refused(...problems.slice(0, MAX_PROBLEMS));
  const first = found[MAX_OBJECTS];
  return first ? refused(tooManyObjects(first.line)) : { objects: found, problems: [] };
}

const refused = (...problems: DocumentProblem[]): DocumentReading => ({ objects: [], problems });

function compose(tokens: readonly CST.Token[]): Document[] {
  const { stackTraceLimit } = Error;
  // The library creates an Error for each problem, and there may be one per line: their stack traces would take most of
  // the time.
  Error.stackTraceLimit = 0;
  try {
    // The library compares each key with all before it; `Inspection` uses a set.
    return [...new Composer({ prettyErrors: false, uniqueKeys: false }).compose(tokens)];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
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
 * Finds constructs that the library would process repeatedly: duplicate keys, and the targets of aliases. It visits
 * each document once, whatever it contains.
 */
class Inspection {
  private problems: DocumentProblem[] = [];
  private anchors = new Map<string, Scalar | YAMLMap | YAMLSeq>();
  /** Number of values that a use of the anchor represents. */
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
    if (this.values > MAX_VALUES) {
      this.problems.push({ line: lineOf(contents, this.lines) ?? 1, code: 'too_many', message: TOO_MANY_VALUES });
    } else if (this.aliases > MAX_ALIASES_OF_ALL || this.sharedValues > MAX_SHARED_VALUES) {
      this.problems.push({ line: lineOf(contents, this.lines) ?? 1, code: 'too_many', message: TOO_MANY_ALIASES });
    }
    return this.problems;
  }

  /**
   * No deeper than `problemOfTokens` allows.
   * @returns number of values in the node, including itself
   */
  private inspect(node: unknown, isWithinAnchor: boolean): number {
    if (isAlias(node)) {
      this.aliases++;
      const source = this.anchors.get(node.source);
      // The library would search the whole document for each alias.
      node.resolve = () => source;
      return this.sizes.get(node.source) ?? 1;
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return 0;
    const { anchor } = node;
    if (anchor !== undefined) {
      this.anchors.set(anchor, node);
      // An anchor that is used within itself is infinite.
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
        if (keys.has(key.value) && this.problems.length < MAX_PROBLEMS) {
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
    members = node.toJS(document, { maxAliasCount: MAX_ALIASES }) as Record<string, unknown>;
  } catch {
    problems.push({ line, code: 'too_many', message: TOO_MANY_ALIASES });
    return;
  }
  const { kind, ...fields } = members;
  if (typeof kind !== 'string') {
    problems.push({ line, code: 'required', message: 'kind is required' });
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
