import { type Command } from 'commander';
import { type Cli, examples } from '../command-line.js';

export function addServeCommand(cli: Cli): Command {
  return cli.program
    .command('serve')
    .summary('run the server: API, ingest and detection in this process')
    .description(
      'Runs the server in this process until Ctrl-C: API, ingest, detection, and, unless DATABASE_URL names ' +
        'a database, the embedded one. Settings come from the environment (docs/configuration.md).',
    )
    .addHelpText(
      'after',
      examples(
        'plumbline serve',
        'PORT=8080 PLUMBLINE_DATA=/var/lib/plumbline plumbline serve',
        'DATABASE_URL=postgres://plumbline@db/plumbline PLUMBLINE_ROLES=detect plumbline serve',
      ),
    )
    .action(async () => {
      // Loaded on demand: other commands start fast and run without the server's packages.
      const { runServer } = await import('../../../server/src/bootstrap.js');
      await runServer();
    });
}
