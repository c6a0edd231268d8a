import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command } from 'commander';
import { CliError, ExitCode } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { inWords, withServerServices } from '../server-access.js';
import { announcement, localOrigin, readyChecks } from '../status/running-product.js';
import { type DiskSpace, isWell, statusJson, type StatusReport, statusText } from '../status/status-report.js';
import { type Terminal } from '../terminal.js';

async function showStatus({ json }: { json?: true }, terminal: Terminal): Promise<void> {
  const [{ environment }, { loadConfig }, { CONFIG_CLASSES }, { ServerConfig }, { MailConfig }] = await Promise.all([
    import('../../../server/src/common/config/environment.config.js'),
    import('../../../server/src/common/config/load-config.js'),
    import('../../../server/src/config.registry.js'),
    import('../../../server/src/common/config/server.config.js'),
    import('../../../server/src/platform/mail/mail.config.js'),
  ]);
  const loaded = loadConfig(CONFIG_CLASSES, environment());
  const { host, port, managementHost, managementPort, dataFolder } = loaded.get(ServerConfig);
  // First of all: without an answer here there is nothing to ask.
  const checks = await readyChecks(localOrigin(managementHost, managementPort));
  const [announced, summary, disk] = await Promise.all([
    announcement(localOrigin(host, port)),
    readSummary(terminal),
    diskSpace(dataFolder),
  ]);
  const isMailConfigured = loaded.get(MailConfig).host !== undefined;
  const report: StatusReport = { checks, announced, summary, disk, isMailConfigured };
  terminal.out(json ? `${JSON.stringify(statusJson(report), null, 2)}\n` : statusText(report));
  if (!isWell(report)) throw new CliError('the product is degraded');
}

async function readSummary(terminal: Terminal): Promise<StatusReport['summary']> {
  const { InstallationSummaries } = await import('../../../server/src/views/misc/installation-summary.service.js');
  try {
    return await withServerServices((services) => services.get(InstallationSummaries).read(), { isLooking: true });
  } catch (error) {
    terminal.err(`The database cannot be asked: ${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

/** Null where there is no such folder, as with DATABASE_URL. */
async function diskSpace(dataFolder: string): Promise<DiskSpace | null> {
  const folder = resolve(dataFolder);
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { folder, free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}

export function addStatusCommand({ program, terminal }: Cli): Command {
  return program
    .command('status')
    .summary('show how the running product is')
    .description(
      'Shows how a running product is: version, what is not well, backlog and lag of detection, last point, open\n' +
        'anomalies, metrics, disk space, waiting mails. Needs the settings of the server; starts and changes nothing.',
    )
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `\nExit code 0 when all is well, ${ExitCode.Failed} when something is not, ${ExitCode.BadInput} on wrong usage or settings,\n` +
        `${ExitCode.NotRunning} when no product is running.\n${examples('plumbline status', 'plumbline status --json', 'plumbline status > /dev/null || echo "look at Plumbline"')}`,
    )
    .action(async (options: { json?: true }) => {
      try {
        await showStatus(options, terminal);
      } catch (error) {
        throw inWords(error);
      }
    });
}
