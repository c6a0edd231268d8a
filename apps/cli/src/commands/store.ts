import { type Command } from 'commander';
import { type VictoriaMetricsAddress } from '#libs/series';
import { CliError, ExitCode } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { type Progress, startProgress } from '../progress.js';
import { withServerServices } from '../server-access.js';
import { type Terminal } from '../terminal.js';

interface CopyOptions {
  from: string;
  to: string;
  readUrl?: string;
}

const HOMES = 'postgres, victoria-metrics (the one of SERIES_STORE_URL), or an address in the form of SERIES_STORE_URL';

/** @param configured address in the settings; null if there is none */
async function addressOf(
  name: string,
  readUrl: string | undefined,
  configured: VictoriaMetricsAddress | null,
): Promise<VictoriaMetricsAddress | null> {
  if (name === 'postgres') return null;
  if (name === 'victoria-metrics') {
    if (configured !== null) return configured;
    throw new CliError('SERIES_STORE_URL is not set: give the address of VictoriaMetrics', ExitCode.BadInput);
  }
  const { addressProblem } = await import('#libs/series');
  const address = { writeUrl: name, ...(readUrl === undefined ? {} : { readUrl }) };
  const problem = addressProblem(address);
  // The address may contain a password.
  if (problem !== null) throw new CliError(`The address of a store ${problem}; or one of ${HOMES}`, ExitCode.BadInput);
  return address;
}

async function copy({ from, to, readUrl }: CopyOptions, terminal: Terminal): Promise<void> {
  const [{ SeriesCopyService }, { StorageConfig }] = await Promise.all([
    import('../../../server/src/platform/storage/series-copy.service.js'),
    import('../../../server/src/platform/storage/storage.config.js'),
  ]);
  await withServerServices(async (services) => {
    const configured = services.get(StorageConfig).seriesStoreAddress;
    const [source, target] = [await addressOf(from, readUrl, configured), await addressOf(to, readUrl, configured)];
    let bar: Progress | undefined;
    let shown = 0;
    try {
      const report = await services.get(SeriesCopyService).copy({
        from: source,
        to: target,
        signal: terminal.interruption(),
        progress: ({ copied, all }) => {
          bar ??= startProgress(terminal, 'Copying', all, 'metrics');
          bar.advance(copied - shown);
          if (!terminal.isInteractive) terminal.err(`${copied} of ${all} metrics are copied\n`);
          shown = copied;
        },
      });
      const copiedText = `${report.points} points and ${report.rollupDays} days of roll-ups`;
      if (!report.isComplete)
        throw new CliError(`Interrupted; ${copiedText} are copied. Run the command again to continue`);
      terminal.out(`Copied and compared ${copiedText}. This installation now uses the other store.\n`);
      terminal.err(
        target === null
          ? 'Start the product without SERIES_STORE_URL.\n'
          : 'Start the product with SERIES_STORE_URL. The points in PostgreSQL are not deleted.\n',
      );
    } finally {
      bar?.stop();
    }
  });
}

export function addStoreCommand(cli: Cli): Command {
  const { terminal } = cli;
  const store = cli.program
    .command('store')
    .summary('move all points between PostgreSQL and VictoriaMetrics')
    .description('Moves the stored points of this installation between PostgreSQL and VictoriaMetrics.');
  store
    .command('copy')
    .summary('copy all points to another store, and use that store from then on')
    .description(
      'Copies every series from one store to another, compares the two, and makes the new one the store of this ' +
        'installation. Stop the processes with the role detect first: points that are sent meanwhile wait in the point log. ' +
        'If it is interrupted, run it again: it continues with the next series (docs/guide/victoria-metrics.md).',
    )
    .requiredOption('--from <store>', HOMES)
    .requiredOption('--to <store>', HOMES)
    .option('--read-url <url>', 'read address of a cluster, if its write address is given')
    .addHelpText(
      'after',
      examples(
        'plumbline store copy --from postgres --to http://victoria-metrics:8428',
        'plumbline store copy --from victoria-metrics --to postgres',
      ),
    )
    .action((options: CopyOptions) => copy(options, terminal));
  return store;
}
