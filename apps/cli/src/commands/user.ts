import { type Command } from 'commander';
import { type OperatorServices } from '../../../server/src/operator-services.js';
import { type OperatorPasswordService } from '../../../server/src/people/session/operator-password.service.js';
import { type ListedUser } from '../../../server/src/people/account/operator-lists.repository.js';
import { type UserOperationsService } from '../../../server/src/people/account/user-operations.service.js';
import { type User } from '../../../server/src/people/user/user.types.js';
import { UsageError } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { chooseOrganisation } from '../organisation.js';
import { passwordInput, showPassword } from '../password-input.js';
import { plainTable } from '../plain-table.js';
import { withLists, withServerServices } from '../server-access.js';
import { type Terminal } from '../terminal.js';

interface CreateUserOptions {
  email: string;
  name: string;
  org?: string;
  admin?: true;
  passwordStdin?: true;
}

interface ListUsersOptions {
  org?: string;
  json?: true;
}

interface Organisation {
  id: number;
  name: string;
}

interface Listed {
  org: Organisation;
  user: ListedUser;
}

/** A user named on the command line, and the possible operations. */
interface Found {
  services: OperatorServices;
  users: UserOperationsService;
  user: User;
  orgId: number;
}

const USER_ARGUMENT = 'e-mail address or id of the user';

async function createUser(options: CreateUserOptions, terminal: Terminal): Promise<void> {
  const input = await passwordInput(options.passwordStdin ?? false, terminal.stdin);
  const { OrgService } = await import('../../../server/src/people/org/org.service.js');
  const { UserOperationsService } = await import('../../../server/src/people/account/user-operations.service.js');
  await withServerServices(async (services) => {
    const org = chooseOrganisation(await services.get(OrgService).listAll(), options.org);
    const { email, name, admin = false } = options;
    const { password } = input;
    const user = await services.get(UserOperationsService).create({ orgId: org.id, email, name, admin, password });
    terminal.out(`User ${user.id}: ${user.email}${admin ? ', administrator' : ''} of "${org.name}" (${org.id})\n`);
    showPassword(input, terminal);
  });
}

async function listUsers({ org: wanted, json }: ListUsersOptions, terminal: Terminal): Promise<void> {
  await withLists(async (lists) => {
    const all = await lists.listOrganisations();
    const shown: readonly Organisation[] = wanted === undefined ? all : [chooseOrganisation(all, wanted)];
    const users = await lists.listUsers();
    const found = shown.flatMap((org) =>
      users.filter(({ orgId }) => orgId === org.id).map((user): Listed => ({ org, user })),
    );
    const accounts = found.filter(({ user }) => !user.demo);
    if (json) {
      terminal.out(`${JSON.stringify(accounts.map(userJson), null, 2)}\n`);
    } else if (accounts.length > 0) {
      terminal.out(
        plainTable(['ID', 'E-MAIL', 'NAME', 'STATE', 'ADMIN', 'LAST LOGIN', 'ORGANISATION'], accounts.map(userRow)),
      );
    }
    const visitors = found.length - accounts.length;
    if (accounts.length === 0) terminal.err('There is no user.\n');
    if (visitors > 0) terminal.err(`${visitors} ${visitors === 1 ? 'visitor' : 'visitors'} of the demo not shown.\n`);
  });
}

function userRow({ org, user }: Listed): string[] {
  const { id, email, name, state, admin, lastLoginAt } = user;
  const lastLogin = lastLoginAt === null ? 'never' : secondsText(lastLoginAt);
  return [String(id), email ?? '', name, state, admin ? 'admin' : '', lastLogin, `${org.name} (${org.id})`];
}

function userJson({ org, user }: Listed): object {
  const { id, email, name, state, admin, lastLoginAt } = user;
  const lastLogin = lastLoginAt === null ? null : Math.floor(lastLoginAt.getTime() / 1000);
  return { id, email, name, state, admin, last_login_timestamp: lastLogin, org_id: org.id, org_name: org.name };
}

/** `2025-10-09T08:53:20Z` */
function secondsText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** @param named address or id as entered */
async function withUser(named: string, work: (found: Found) => Promise<void>): Promise<void> {
  const { UserOperationsService } = await import('../../../server/src/people/account/user-operations.service.js');
  await withServerServices(async (services) => {
    const users = services.get(UserOperationsService);
    const user = await users.find(named);
    if (user?.orgId == null) {
      throw new UsageError(`there is no user "${named}"; "plumbline user list" lists the users`);
    }
    await work({ services, users, user, orgId: user.orgId });
  });
}

function describe({ id, email, name }: User): string {
  return `User ${id} (${email ?? name})`;
}

async function setPassword(named: string, options: { passwordStdin?: true }, terminal: Terminal): Promise<void> {
  const input = await passwordInput(options.passwordStdin ?? false, terminal.stdin);
  const { OperatorPasswordService } = await import('../../../server/src/people/session/operator-password.service.js');
  await withUser(named, async ({ services, user, orgId }) => {
    const passwords: OperatorPasswordService = services.get(OperatorPasswordService);
    const after = await passwords.setPassword(orgId, user.id, input.password);
    terminal.out(`${describe(after)} has a new password; all sessions have ended.\n`);
    showPassword(input, terminal);
    if (after.state === 'disabled') {
      terminal.err(`The user is disabled and cannot log in; "plumbline user enable ${named}" changes that.\n`);
    }
  });
}

async function disable(named: string, terminal: Terminal): Promise<void> {
  await withUser(named, async ({ users, user, orgId }) => {
    const isChanged = await users.disable(orgId, user.id);
    terminal.out(
      `${describe(user)} ${isChanged ? 'can no longer log in; all sessions have ended' : 'is disabled already'}.\n`,
    );
  });
}

async function enable(named: string, terminal: Terminal): Promise<void> {
  await withUser(named, async ({ users, user, orgId }) => {
    const after = await users.enable(orgId, user.id);
    if (after?.state === 'invited') {
      terminal.out(`${describe(user)} is invited again.\n`);
      terminal.err(`The user has no password yet; "plumbline user set-password ${named}" gives one.\n`);
      return;
    }
    terminal.out(`${describe(user)} ${after ? 'can log in again' : `is not disabled: ${user.state}`}.\n`);
  });
}

async function remove(named: string, { yes }: { yes?: true }, terminal: Terminal): Promise<void> {
  await withUser(named, async ({ users, user, orgId }) => {
    if (!yes) {
      throw new UsageError(
        `this removes ${describe(user)} permanently; what the user created stays. Confirm with --yes, ` +
          `or "plumbline user disable ${named}" to keep the user`,
      );
    }
    await users.remove(orgId, user.id);
    terminal.out(`${describe(user)} is removed.\n`);
  });
}

export function addUserCommand({ program, terminal }: Cli): Command {
  const user = program
    .command('user')
    .summary('add, list, disable and remove users; set passwords')
    .description(
      'Adds, lists, disables and removes users, and sets their passwords. Works while a server is running, too.',
    );
  user
    .command('create')
    .summary('add a user to an organisation')
    .description(
      'Adds a user to an organisation. Works while a server is running, too. Without --password-stdin a password is generated ' +
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
    .action((options: CreateUserOptions) => createUser(options, terminal));
  user
    .command('list')
    .summary('list users')
    .description('Lists the users of all organisations, or of one. Visitors of the demo are left out.')
    .option('--org <organisation>', 'name or id of the organisation (default: all)')
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', examples('plumbline user list', 'plumbline user list --org "Example Ltd" --json'))
    .action((options: ListUsersOptions) => listUsers(options, terminal));
  user
    .command('set-password')
    .summary('set a new password for a user')
    .description(
      'Sets a new password for a user, without the old one and without mail: for a forgotten password if ' +
        'no mail server is configured. All sessions of the user end, if login codes are used, known browsers need one again, ' +
        'and a lock after failed logins is removed. A user who was invited can log in from then on. Without ' +
        '--password-stdin a password is generated and printed.',
    )
    .argument('<user>', USER_ARGUMENT)
    .option('--password-stdin', 'read the password from the first line of standard input')
    .addHelpText(
      'after',
      examples(
        'plumbline user set-password ada@example.org',
        'plumbline user set-password ada@example.org --password-stdin < password.txt',
      ),
    )
    .action((named: string, options: { passwordStdin?: true }) => setPassword(named, options, terminal));
  user
    .command('disable')
    .summary('prevent a user from logging in')
    .description('Ends all sessions of a user, who cannot log in until enabled again. Nothing is deleted.')
    .argument('<user>', USER_ARGUMENT)
    .addHelpText('after', examples('plumbline user disable bob@example.org'))
    .action((named: string) => disable(named, terminal));
  user
    .command('enable')
    .summary('let a disabled user log in again')
    .description('Lets a disabled user log in again, with the same password as before.')
    .argument('<user>', USER_ARGUMENT)
    .addHelpText('after', examples('plumbline user enable bob@example.org'))
    .action((named: string) => enable(named, terminal));
  user
    .command('remove')
    .summary('remove a user')
    .description(
      'Removes a user permanently; tokens, exclusions and other objects that the user created stay. The last administrator of an ' +
        'organisation cannot be removed: "plumbline org delete" deletes the organisation with all its users.',
    )
    .argument('<user>', USER_ARGUMENT)
    .option('--yes', 'confirm the removal')
    .addHelpText('after', examples('plumbline user remove bob@example.org --yes'))
    .action((named: string, options: { yes?: true }) => remove(named, options, terminal));
  return user;
}
