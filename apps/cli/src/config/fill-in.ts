import { randomBytes } from 'node:crypto';
import { CST, Parser } from 'yaml';

/** A position where a text cannot be filled in. `line` counts from 1. */
export interface FillInProblem {
  line: number;
  message: string;
}

export interface FilledIn {
  /** Has the same number of lines as before. */
  text: string;
  problems: FillInProblem[];
}

interface Placeholder {
  /** The placeholder as written. */
  written: string;
  name: string;
  line: number;
}

/** `$${NAME}` is not a placeholder: the server reads it as the text `${NAME}`. */
const PLACEHOLDER = /(\$?)\$\{([A-Za-z_]\w*)\}/g;

/**
 * Replaces `${NAME}` in YAML (or JSON) with the values of variables. A value always remains a single text: its content
 * cannot end or start any YAML structure. Comments are not changed.
 */
export function fillIn(text: string, variables: Readonly<Record<string, string | undefined>>): FilledIn {
  // While the YAML is parsed, words without a meaning replace the placeholders, because braces have a meaning in YAML.
  const mark = `x${randomBytes(12).toString('hex')}x`;
  const placeholders: Placeholder[] = [];
  const marked = text
    .split('\n')
    .map((line, index) =>
      line.replace(PLACEHOLDER, (written: string, escape: string, name: string) => {
        if (escape !== '') return written;
        placeholders.push({ written, name, line: index + 1 });
        return `${mark}${String(placeholders.length - 1)}x`;
      }),
    )
    .join('\n');
  if (placeholders.length === 0) return { text, problems: [] };
  const marks = new RegExp(`${mark}(\\d+)x`, 'g');
  const problems: FillInProblem[] = [];
  const valueOf = (index: string): string => {
    const { name, line } = placeholders[Number(index)]!;
    const value = variables[name];
    if (value === undefined) problems.push({ line, message: `the environment has no ${name}` });
    else if (/[\r\n]/.test(value)) problems.push({ line, message: `${name} has more than one line` });
    return escaped(value ?? '');
  };
  const fill = (token: CST.Token | null | undefined): void => {
    if (!token || !('source' in token) || !token.source.includes(mark)) return;
    if (token.type === 'scalar' && token.source.includes('\n')) {
      const { line, written } = placeholders[Number(new RegExp(marks).exec(token.source)![1])]!;
      problems.push({ line, message: `the text of several lines around ${written} needs quotes` });
      return;
    }
    token.source = sourceOf(token.type, token.source, (source, write) =>
      source.replace(marks, (_, index: string) => write(valueOf(index))),
    );
  };
  const filled = [...new Parser().parse(marked)].map((document) => {
    if (document.type === 'document') {
      CST.visit(document, ({ key, value }) => {
        fill(key);
        fill(value);
      });
    }
    return CST.stringify(document);
  });
  const restored = filled.join('').replace(marks, (_, index: string) => placeholders[Number(index)]!.written);
  return { text: restored, problems: problems.sort((one, other) => one.line - other.line) };
}

/** A value that looks like a placeholder is not replaced. */
const escaped = (value: string): string => value.replace(PLACEHOLDER, '$$$&');

/** The source of a token with its placeholders replaced, escaped as its quotes require. */
function sourceOf(
  type: CST.Token['type'],
  source: string,
  replaced: (source: string, write: (value: string) => string) => string,
): string {
  const asIs = (value: string): string => value;
  switch (type) {
    case 'double-quoted-scalar':
      return replaced(source, (value) => JSON.stringify(value).slice(1, -1));
    case 'single-quoted-scalar':
      return replaced(source, (value) => value.replaceAll("'", "''"));
    case 'block-scalar':
      return replaced(source, asIs);
    case 'scalar':
      return JSON.stringify(replaced(source, asIs));
    default:
      return source;
  }
}
