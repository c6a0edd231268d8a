import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createProgram } from './cli.js';
import { commandLineDocument, helpOf, leafCommands } from './command-line-doc.js';
import { recordingTerminal } from './testing/recording-terminal.js';

const DOCUMENT = resolve(import.meta.dirname, '../../../docs/guide/command-line.md');
const program = () => createProgram(recordingTerminal().terminal);

describe('docs/guide/command-line.md', () => {
  it('equals the output of npm run commands:doc', async () => {
    expect(await readFile(DOCUMENT, 'utf8')).toBe(commandLineDocument(program()));
  });

  it.each(leafCommands(program()))('%s has an example and a summary', (path, command) => {
    expect(helpOf(command)).toMatch(new RegExp(`Examples?:\n(.*\n)*.*${path}`));
    expect(command.summary()).not.toBe('');
  });
});
