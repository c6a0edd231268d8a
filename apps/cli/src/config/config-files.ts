import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, ExitCode } from '../cli-error.js';
import { fillIn } from './fill-in.js';

/** The files and lines from which one document was assembled. */
export interface ConfigText {
  document: string;
  /** `web.yaml:12` for a line of the document, counted from 1. */
  placeOf(line: number): string;
}

const SUFFIX = /\.(ya?ml|json)$/;
const SEPARATOR = '---';

/**
 * One document of a file, or of all `.yaml`, `.yml` and `.json` files of a folder by name.
 * @param environment variables for `${NAME}`; an unset name is an error
 * @throws CliError
 */
export async function readConfigFiles(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ConfigText> {
  const files = await filesAt(path);
  const lines: string[] = [];
  const problems: string[] = [];
  const starts: { file: string; first: number }[] = [];
  for (const file of files) {
    if (lines.length > 0) lines.push(SEPARATOR);
    starts.push({ file, first: lines.length + 1 });
    const { text, problems: found } = fillIn(await read(file), environment);
    problems.push(...found.map(({ line, message }) => `${file}:${String(line)}: ${message}`));
    lines.push(...text.split('\n'));
  }
  if (problems.length > 0) throw new CliError(problems.join('\n  '), ExitCode.BadInput);
  return {
    document: lines.join('\n'),
    placeOf: (line) => {
      const { file, first } = starts.findLast((start) => start.first <= line) ?? starts[0]!;
      return `${file}:${String(line - first + 1)}`;
    },
  };
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => {
    throw new CliError(`there is no file or folder ${path}`, ExitCode.BadInput);
  });
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => SUFFIX.test(name)).sort();
  if (names.length === 0) {
    throw new CliError(`the folder ${path} has no .yaml, .yml or .json file`, ExitCode.BadInput);
  }
  return names.map((name) => join(path, name));
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`, ExitCode.BadInput);
  }
}
