import { type Command } from 'commander';
import { CliError, ExitCode } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { toCliError } from '../server-access.js';
import { installationSummary, localOrigin, readyChecks } from '../status/running-product.js';
import { isWell, statusJson, type StatusReport, statusText } from '../status/status-report.js';
import { type Terminal } from '../terminal.js';

async function showStatus({ json }: { json?: true }, terminal: Terminal): Promise<void> {
  const [{ environment }, { loadConfig }, { ServerConfig }] = await Promise.all([
    import('../../../server/src/common/config/environment.config.js'),
    import('../../../server/src/common/config/load-config.js'),
    import('../../../server/src/common/config/server.config.js'),
  ]);
  const { managementHost, managementPort } = loadConfig([ServerConfig], environment()).get(ServerConfig);
  const origin = localOrigin(managementHost, managementPort);
  const checks = await readyChecks(origin);
  const report: StatusReport = { checks, summary: await readSummary(origin, terminal) };
  terminal.out(json ? `${JSON.stringify(statusJson(report), null, 2)}\n` : statusText(report));
  if (!isWell(report)) throw new CliError('the product is degraded');
}

async function readSummary(origin: string, terminal: Terminal): Promise<StatusReport['summary']> {
  try {
    return await installationSummary(origin);
  } catch (error) {
    terminal.err(`The product cannot ask its database: ${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

export function addStatusCommand({ program, terminal }: Cli): Command {
  return program
    .command('status')
    .summary('show whether the running product is well, and its key figures')
    .description(
      'Shows the state of a running product: version, problems, backlog and lag of detection, last point, open ' +
        'anomalies, metrics, disk space, waiting mails. Asks the management port; starts and changes nothing.',
    )
    .option('--json', 'print JSON instead of a table')
    .addHelpText(
      'after',
      `\nExit code 0 when all is well, ${ExitCode.Failed} when something is not, ${ExitCode.BadInput} on wrong usage or settings,\n` +
        `${ExitCode.NotRunning} when no product is running.\n${examples('plumbline status', 'plumbline status --json', 'plumbline status > /dev/null || echo "look at Plumbline"')}`,
    )
    .action(async (options: { json?: true }) => {
      try {
        await showStatus(options, terminal);
      } catch (error) {
        throw toCliError(error);
      }
    });
}
