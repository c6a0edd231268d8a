import { type Command } from 'commander';
import { CliError } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { findingsJson, findingText } from '../doctor/finding.js';
import { toCliError } from '../server-access.js';
import { type Terminal } from '../terminal.js';

async function examine({ json }: { json?: true }, terminal: Terminal): Promise<void> {
  const [{ environment }, { runDoctor }] = await Promise.all([
    import('../../../server/src/common/config/environment.config.js'),
    import('../doctor/run-doctor.js'),
  ]);
  const findings = await runDoctor({
    env: environment(),
    ...(json ? {} : { onFinding: (finding) => terminal.out(findingText(finding)) }),
  });
  if (json) terminal.out(`${JSON.stringify(findingsJson(findings), null, 2)}\n`);
  const count = findings.filter(({ state }) => state === 'failed').length;
  if (count > 0) throw new CliError(`${count} ${count === 1 ? 'check' : 'checks'} failed`);
}

export function addDoctorCommand({ program, terminal }: Cli): Command {
  return program
    .command('doctor')
    .summary('check settings, database, disk, clock, engines, mail and ports')
    .description(
      'Checks an installation, running or stopped: settings, database, disk, clock, point log, series store, learnt ' +
        'state, secret key, mail, ports and the public address. Each line is ok, warning or failed, with what to do. ' +
        'Changes nothing, and sends no mail. Run it as the user of the product, with its settings.',
    )
    .option('--json', 'print JSON instead of text')
    .addHelpText('after', examples('plumbline doctor', 'plumbline doctor --json'))
    .action(async (options: { json?: true }) => {
      try {
        await examine(options, terminal);
      } catch (error) {
        throw toCliError(error);
      }
    });
}
