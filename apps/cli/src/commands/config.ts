import { type Command, Option } from 'commander';
import { type Cli, examples, withServer } from '../command-line.js';
import { type ApplyOptions } from '../config/config-client.js';
import { type ServerOptions } from '../server-token.js';

const FILE = 'file, or folder with .yaml, .yml and .json files';

export function addApplyCommand(cli: Cli): Command {
  return withServer(cli.program.command('apply'), 'admin')
    .summary('apply settings from configuration files to a running server')
    .description(
      'Changes the settings of the organisation of the token to those in the files. If one object is wrong, nothing is changed.',
    )
    .requiredOption('-f, --file <path>', FILE)
    .option('--dry-run', 'only list what would change')
    .option('--prune', 'remove objects that the documents do not contain, for each kind that they contain')
    .addHelpText(
      'after',
      `
\${NAME} in a file is replaced with the environment variable; $\${NAME} is the text \${NAME}. Errors name file and line.
${examples('plumbline apply -f plumbline/ --dry-run', 'plumbline apply -f plumbline.yaml --token-file token.txt --prune')}`,
    )
    .action(async (options: ApplyOptions) => {
      const { applyConfig } = await import('../config/config-client.js');
      await applyConfig(options, cli.terminal);
    });
}

export function addExportCommand(cli: Cli): Command {
  return withServer(cli.program.command('export'), 'admin')
    .summary('print the settings of a running server as a configuration file')
    .description(
      'Prints the settings of the organisation of the token as a configuration file, with ${NAME} in place of each secret. "plumbline apply" with an unchanged file changes nothing.',
    )
    .addOption(new Option('--format <format>', 'format of the document').choices(['yaml', 'json']).default('yaml'))
    .addHelpText('after', `\n${examples('plumbline export --token-file token.txt > plumbline.yaml')}`)
    .action(async (options: ServerOptions & { format: string }) => {
      const { exportConfig } = await import('../config/config-client.js');
      await exportConfig(options, cli.terminal);
    });
}
