import { open } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { type Command } from 'commander';
import { CliError, ExitCode } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { toCliError } from '../server-access.js';
import { type Terminal } from '../terminal.js';

async function makeBundle(file: string | undefined, { log }: { log?: string }, terminal: Terminal): Promise<void> {
  const [{ environment }, { bundleFileName, supportBundle }, { tar }] = await Promise.all([
    import('../../../server/src/common/config/environment.config.js'),
    import('../support/support-bundle.js'),
    import('../support/tar.js'),
  ]);
  const now = Date.now() / 1000;
  const path = file ?? bundleFileName(now);
  const entries = await supportBundle({ env: environment(), logFile: log, now });
  await writeNew(path, gzipSync(tar(entries, now)));
  terminal.out(`${path}\n`);
  terminal.err(`${entries.length} files, without secrets. Check it before you send it to anyone: tar -xzOf ${path}\n`);
}

async function writeNew(path: string, content: Buffer): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(code === 'EEXIST' ? `${path} exists already: name another file` : message, ExitCode.BadInput);
  }
}

export function addSupportBundleCommand({ program, terminal }: Cli): Command {
  return program
    .command('support-bundle [file]')
    .summary('collect diagnostic data, without secrets, in one file for support')
    .description(
      'Writes a .tar.gz with versions, settings without secrets, the report of "plumbline doctor", metrics and readiness ' +
        'of the running product, sizes of tables, migrations, slow statements and the last lines of logs ' +
        '(docs/guide/doctor.md). Works with or without a running product.',
    )
    .option('--log <file>', 'log file of the product; its last lines are added')
    .addHelpText(
      'after',
      examples('plumbline support-bundle', 'plumbline support-bundle --log /var/log/plumbline.log support.tar.gz'),
    )
    .action(async (file: string | undefined, options: { log?: string }) => {
      try {
        await makeBundle(file, options, terminal);
      } catch (error) {
        throw toCliError(error);
      }
    });
}
