import { type Command } from 'commander';
import { CliError } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { toCliError } from '../server-access.js';
import { type Terminal } from '../terminal.js';

interface MigrateOptions {
  dryRun?: true;
}

async function migrateDatabase({ dryRun }: MigrateOptions, terminal: Terminal): Promise<void> {
  const [
    { environment },
    { loadConfig },
    { CONFIG_CLASSES },
    { DatabaseConfig },
    { ServerConfig },
    { pendingMigrations },
    { openDatabase },
    { prepareDatabase },
    { MIGRATIONS, SCHEMA },
  ] = await Promise.all([
    import('../../../server/src/common/config/environment.config.js'),
    import('../../../server/src/common/config/load-config.js'),
    import('../../../server/src/config.registry.js'),
    import('../../../server/src/common/database/database.config.js'),
    import('../../../server/src/common/config/server.config.js'),
    import('../../../server/src/common/database/migrate.js'),
    import('../../../server/src/common/database/open-database.js'),
    import('../../../server/src/common/database/prepare-database.js'),
    import('../../../server/migrations/index.js'),
  ]);
  const log = (line: string): void => terminal.err(`${line}\n`);
  const config = loadConfig(CONFIG_CLASSES, environment());
  const { dataFolder } = config.get(ServerConfig);
  const database = await openDatabase({ config: config.get(DatabaseConfig), dataFolder, log, attach: true });
  try {
    const pending = await pendingMigrations(database, MIGRATIONS);
    if (dryRun) {
      terminal.out(pending.map((name) => `${name}\n`).join(''));
      terminal.err(pending.length === 0 ? 'Nothing to do.\n' : `${pending.length} to run.\n`);
      return;
    }
    await prepareDatabase(database, SCHEMA, log);
    terminal.out(pending.length === 0 ? 'The database is up to date.\n' : `Done: ${pending.join(', ')}\n`);
  } finally {
    await database.stop();
  }
}

export function addMigrateCommand(cli: Cli): Command {
  return cli.program
    .command('migrate')
    .summary('migrate the database to the schema of this version')
    .description(
      'Runs the migrations that the database does not have yet. The server does the same when it starts. Several processes may ' +
        'do so at the same time: one migrates, the others wait.',
    )
    .option('--dry-run', 'only list the migrations that would run')
    .addHelpText(
      'after',
      examples('plumbline migrate', 'DATABASE_URL=postgres://plumbline@db/plumbline plumbline migrate --dry-run'),
    )
    .action(async (options: MigrateOptions) => {
      try {
        await migrateDatabase(options, cli.terminal);
      } catch (error) {
        const cliError = toCliError(error);
        throw cliError instanceof CliError
          ? cliError
          : new CliError(error instanceof Error ? error.message : String(error));
      }
    });
}
