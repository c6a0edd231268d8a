import { Command, CommanderError } from 'commander';
import { productVersion } from '../../server/src/common/product-version.js';
import { CliError, ExitCode } from './cli-error.js';
import { addAlertsCommand } from './commands/alerts.js';
import { addBackupCommand, addRestoreCommand } from './commands/backup.js';
import { addBenchCommand } from './commands/bench.js';
import { addApplyCommand, addExportCommand } from './commands/config.js';
import { addDetectCommand } from './commands/detect.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addKeyCommand } from './commands/key.js';
import { addMcpCommand } from './commands/mcp.js';
import { addMigrateCommand } from './commands/migrate.js';
import { addOrgCommand } from './commands/org.js';
import { addReplayCommand } from './commands/replay.js';
import { addServeCommand } from './commands/serve.js';
import { addStatusCommand } from './commands/status.js';
import { addStoreCommand } from './commands/store.js';
import { addSupportBundleCommand } from './commands/support-bundle.js';
import { addTokenCommand } from './commands/token.js';
import { addUserCommand } from './commands/user.js';
import { type Cli, examples } from './command-line.js';
import { type Terminal } from './terminal.js';

/** Every command, writing to the terminal. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('plumbline')
    .description('Plumbline watches time-series metrics and reports which of them behave unusually.')
    .version(productVersion())
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(--help shows how it is used)')
    // Commands inherit this setting: usage errors are thrown instead of ending the process.
    .exitOverride();
  const cli: Cli = { program, terminal };
  addServeCommand(cli);
  addStatusCommand(cli);
  addDoctorCommand(cli);
  addSupportBundleCommand(cli);
  addDetectCommand(cli);
  addBenchCommand(cli);
  addReplayCommand(cli);
  addApplyCommand(cli);
  addExportCommand(cli);
  addMcpCommand(cli);
  addMigrateCommand(cli);
  addBackupCommand(cli);
  addRestoreCommand(cli);
  addOrgCommand(cli);
  addUserCommand(cli);
  addTokenCommand(cli);
  addAlertsCommand(cli);
  addKeyCommand(cli);
  addStoreCommand(cli);
  program.addHelpText(
    'after',
    examples('plumbline serve', 'plumbline detect requests.csv --plot requests.png', 'plumbline detect --help'),
  );
  return program;
}

/** Prints the message of an error on the terminal, and returns its exit code. */
function explain(error: unknown, terminal: Terminal): ExitCode {
  // Help and version end in the same way as usage errors; commander has already written its text.
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Done : ExitCode.BadInput;
  if (error instanceof CliError) {
    terminal.err(`plumbline: ${error.message}\n`);
    return error.exitCode;
  }
  // Unexpected: the stack is needed to find the cause.
  terminal.err(`plumbline: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return ExitCode.Failed;
}

/** Runs one command line (without `node` and the script); resolves to its exit code and never rejects. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return ExitCode.Done;
  } catch (error) {
    return explain(error, terminal);
  }
}
