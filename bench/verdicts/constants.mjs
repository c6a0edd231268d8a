import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Positions in a record, and the packing of its cells: another number changes the format, not the detector. */
const NOT_TUNED = /^(?:record\/|reset-record\.ts$)/;
/** Constants of the descriptions and notifications of anomalies: they have no effect on which anomalies open. */
const SAID = /^anomaly\/(?:explanation|gates|kind|severity)\.ts$/;
/** Units of time, and constants that prevent a division by 0. */
const UNITS = /^(MINUTE|HOUR|DAY|WEEK|MONTH|YEAR)(_SECONDS|_DAYS)?$|^TINY$/;
const DECLARATION = /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: number)? = ([^;]+);$/;
/** A number, or arithmetic of numbers. Constants that are derived from others are omitted: they change with them. */
const NUMBERS = /^[-+*/ ().\d_e]+$/;

/**
 * The named constants of the detector: top-level `const NAME = number;` of the files in `folder` and its subfolders
 * (TypeScript, without specs). Without those that NOT_TUNED, SAID and UNITS match, and without codes (successive lines
 * that count from 0) and zeros.
 *
 * @returns {{ file: string, name: string, value: number, comment: string }[]} `file`: path in `folder`, with slashes;
 * `comment`: of the lines before; all constants of a run have that of the first one
 */
export function constantsIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !NOT_TUNED.test(file) && !SAID.test(file))
    .sort()
    .flatMap((file) => constantsOfFile(file, readFileSync(join(folder, file), 'utf8')));
}

function constantsOfFile(file, text) {
  const found = [];
  let comment = [];
  let run = [];
  const endRun = () => {
    const isCodes = run.length > 1 && run.every(({ value }, i) => value === i);
    if (!isCodes) found.push(...run);
    run = [];
  };
  for (const line of text.split('\n')) {
    const [, name, expression] = DECLARATION.exec(line) ?? [];
    if (name === undefined) {
      endRun();
      comment = commentAfter(comment, line);
      continue;
    }
    if (!NUMBERS.test(expression) || UNITS.test(name)) continue;
    const value = Number(new Function(`return ${expression}`)());
    run.push({ file, name, value, comment: comment.join(' ') });
  }
  endRun();
  return found.filter(({ value }) => Number.isFinite(value) && value > 0);
}

/** The lines of a comment up to `line`; a line without a comment starts a new one. */
function commentAfter(before, line) {
  const text = line
    .replace(/^\s*(\/\*\*?|\*\/|\*|\/\/)\s?/, '')
    .replace(/\s*\*\/$/, '')
    .trim();
  if (/^\s*(\/\*|\/\/)/.test(line)) return [text].filter((one) => one !== '');
  return /^\s*\*/.test(line) ? [...before, text].filter((one) => one !== '') : [];
}

/** The value times `factor`; a whole number stays whole, and changes by at least one. */
export function changed(value, factor) {
  if (!Number.isInteger(value)) return value * factor;
  const whole = Math.round(value * factor);
  return whole === value ? value + Math.sign(factor - 1) : whole;
}

/**
 * The built text of a file with another value of a constant. Throws Error if the constant is not declared exactly once.
 */
export function withValue(built, name, value) {
  const declaration = new RegExp(`^((?:export )?const ${name} = )[^;]+;$`, 'gm');
  if ((built.match(declaration) ?? []).length !== 1) throw new Error(`${name} is not declared once`);
  return built.replace(declaration, `$1${String(value)};`);
}
