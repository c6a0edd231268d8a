import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type Command } from 'commander';
import { UsageError } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { chooseOrganisation } from '../organisation.js';
import { withServerServices } from '../server-access.js';
import { type Terminal } from '../terminal.js';

interface CreateUserOptions {
  email: string;
  name: string;
  org?: string;
  admin?: true;
  passwordStdin?: true;
}

const MADE_UP_PASSWORD_BYTES = 15;

/** The first line of standard input. */
async function readPassword(stdin: Terminal['stdin']): Promise<string> {
  for await (const line of createInterface({ input: Readable.from(stdin), crlfDelay: Infinity })) {
    if (line !== '') return line;
    break;
  }
  throw new UsageError('--password-stdin: standard input holds no password in its first line');
}

async function createUser(options: CreateUserOptions, terminal: Terminal): Promise<void> {
  const given = options.passwordStdin ? await readPassword(terminal.stdin) : undefined;
  const password = given ?? randomBytes(MADE_UP_PASSWORD_BYTES).toString('base64url');
  const { OrgService } = await import('../../../server/src/org/org.service.js');
  const { UserService } = await import('../../../server/src/user/user.service.js');
  const { Transactions } = await import('../../../server/src/common/database/transactions.js');
  const { AuditTrail } = await import('../../../server/src/audit/audit-trail.service.js');
  const { changesBetween, OPERATOR_ACTOR } = await import('../../../server/src/audit/audit.types.js');
  await withServerServices(async (services) => {
    const org = chooseOrganisation(await services.get(OrgService).all(), options.org);
    const { email, name, admin = false } = options;
    const user = await services.get(Transactions).run(async (tx) => {
      const made = await services.get(UserService).create({ orgId: org.id, email, name, admin, password }, tx);
      const object = { type: 'user', id: String(made.id), name: made.name === '' ? email : made.name };
      const changes = changesBetween({}, { email: made.email, admin });
      const act = { orgId: org.id, actor: OPERATOR_ACTOR, action: 'user.create', object, changes };
      await services.get(AuditTrail).record(act, tx);
      return made;
    });
    terminal.out(`User ${user.id}: ${user.email}${admin ? ', administrator' : ''} of "${org.name}" (${org.id})\n`);
    if (given === undefined) terminal.out(`Password: ${password}\n`);
  });
  if (given === undefined) terminal.err('The password is shown this once; it is stored as a hash only.\n');
}

export function addUserCommand(cli: Cli): Command {
  const user = cli.program.command('user').description('Users of this installation.');
  user
    .command('create')
    .summary('add a user to an organisation')
    .description(
      'Adds a user to an organisation. Works beside a running server. Without --password-stdin a password is made up\n' +
        'and printed.',
    )
    .requiredOption('--email <address>', 'e-mail address, which is also the login')
    .option('--name <name>', 'name as others see it', '')
    .option('--org <organisation>', 'name or id of the organisation (default: the only one)')
    .option('--admin', 'may change settings, users and tokens')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .addHelpText(
      'after',
      examples(
        'plumbline user create --email ada@example.org --name "Ada Lovelace" --admin',
        'plumbline user create --email bob@example.org --org "Example Ltd" --password-stdin < password.txt',
      ),
    )
    .action((options: CreateUserOptions) => createUser(options, cli.terminal));
  return user;
}
