import { type Command, InvalidArgumentError } from 'commander';
import { PERMISSION_NAMES, type PermissionName, toBits } from '#libs/contracts';
import { type Cli, examples, wholeNumberOption } from '../command-line.js';
import { chooseOrganisation } from '../organisation.js';
import { withServerServices } from '../server-access.js';
import { type Terminal } from '../terminal.js';

interface CreateTokenOptions {
  name: string;
  org?: string;
  permissions: PermissionName[];
  validDays?: number;
}

const DAY_MS = 86_400_000;
const LONGEST_VALID_DAYS = 36_500;

function isPermission(name: string): name is PermissionName {
  return (PERMISSION_NAMES as readonly string[]).includes(name);
}

function permissionsOption(text: string): PermissionName[] {
  const names = text.split(',').map((name) => name.trim());
  const known = names.filter(isPermission);
  if (known.length !== names.length) {
    throw new InvalidArgumentError(`Must be a list of ${PERMISSION_NAMES.join(', ')}, separated by commas.`);
  }
  return PERMISSION_NAMES.filter((name) => known.includes(name));
}

async function createToken(options: CreateTokenOptions, terminal: Terminal): Promise<void> {
  const { OrgService } = await import('../../../server/src/people/org/org.service.js');
  const { TokenService } = await import('../../../server/src/people/token/token.service.js');
  const { OPERATOR_ACTOR } = await import('../../../server/src/platform/audit/audit.types.js');
  await withServerServices(async (services) => {
    const org = chooseOrganisation(await services.get(OrgService).listAll(), options.org);
    const validUntil = options.validDays === undefined ? null : new Date(Date.now() + options.validDays * DAY_MS);
    const flags = Object.fromEntries(options.permissions.map((name) => [name, true]));
    const token = await services.get(TokenService).create(org.id, {
      name: options.name,
      permissions: toBits(flags),
      validUntil,
      createdUserId: null,
      actor: OPERATOR_ACTOR,
    });
    const end = validUntil === null ? 'without end' : `until ${validUntil.toISOString()}`;
    terminal.err(`Token "${options.name}" of "${org.name}" (${org.id}): ${options.permissions.join(', ')}, ${end}\n`);
    // The only text on standard output, so that it can be written to a file or a variable.
    terminal.out(`${token.id}\n`);
  });
}

export function addTokenCommand(cli: Cli): Command {
  const token = cli.program
    .command('token')
    .summary('create tokens, with which programs send data and use the API')
    .description('Creates tokens, with which programs send data and use the API.');
  token
    .command('create')
    .summary('create a token for an organisation')
    .description(
      'Creates a token for an organisation. Standard output contains only the token. Works while a server is running, too.',
    )
    .requiredOption(
      '--permissions <list>',
      `one or more of ${PERMISSION_NAMES.join(', ')}, separated by commas`,
      permissionsOption,
    )
    .option('--name <name>', 'purpose of the token', 'created on the command line')
    .option('--org <organisation>', 'name or id of the organisation (default: the only one)')
    .option('--valid-days <days>', 'days until it expires (default: never)', wholeNumberOption(1, LONGEST_VALID_DAYS))
    .addHelpText(
      'after',
      examples(
        'plumbline token create --permissions ingest --name "edge collectors"',
        'plumbline token create --org "Example Ltd" --permissions read,write --valid-days 90',
        'plumbline token create --permissions ingest > token.txt',
      ),
    )
    .action((options: CreateTokenOptions) => createToken(options, cli.terminal));
  return token;
}
