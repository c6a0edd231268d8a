import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../cli-error.js';
import { type Cli, examples, timezoneOption } from '../command-line.js';
import { chooseOrganisation } from '../organisation.js';
import { plainTable } from '../plain-table.js';
import { withLists, withServerServices } from '../server-access.js';
import { type Terminal } from '../terminal.js';

const MAX_NAME_LENGTH = 100;

function organisationName(text: string): string {
  const name = text.trim().normalize('NFC');
  // As in sign-up: characters are counted as people count them, and control characters are not allowed.
  if (name === '' || Array.from(name).length > MAX_NAME_LENGTH || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw new InvalidArgumentError(`Must be 1 to ${MAX_NAME_LENGTH} characters, none of them control characters.`);
  }
  return name;
}

async function listOrganisations({ json }: { json?: true }, terminal: Terminal): Promise<void> {
  await withLists(async (lists) => {
    const listed = await lists.listOrganisations();
    const found = listed.map(({ createdAt, ...org }) => ({ ...org, created: createdAt.toISOString().slice(0, 10) }));
    if (json) {
      const records = found.map(({ id, name, timezone, created, users, isDemo }) => {
        return { id, name, timezone, created, users, demo: isDemo };
      });
      terminal.out(`${JSON.stringify(records, null, 2)}\n`);
    } else if (found.length > 0) {
      const rows = found.map(({ id, name, timezone, created, users, isDemo }) => [
        String(id),
        name,
        timezone,
        created,
        String(users),
        isDemo ? 'demo' : '',
      ]);
      terminal.out(plainTable(['ID', 'NAME', 'TIMEZONE', 'CREATED', 'USERS', ''], rows));
    }
    if (found.length === 0) terminal.err('There is no organisation yet; start the server once (plumbline serve).\n');
  });
}

async function createOrganisation(name: string, { timezone }: { timezone: string }, terminal: Terminal): Promise<void> {
  const { OrgOperationsService } = await import('../../../server/src/people/account/org-operations.service.js');
  await withServerServices(async (services) => {
    const org = await services.get(OrgOperationsService).create({ name, timezone });
    terminal.out(`Organisation ${org.id}: "${org.name}", ${org.timezone}\n`);
    terminal.err(
      `It has no users yet: plumbline user create --org ${org.id} --email … --admin\n` +
        `What senders need:        plumbline token create --org ${org.id} --permissions ingest\n`,
    );
  });
}

async function deleteOrganisation(named: string, { yes }: { yes?: true }, terminal: Terminal): Promise<void> {
  const { OrgOperationsService } = await import('../../../server/src/people/account/org-operations.service.js');
  const { OrgService } = await import('../../../server/src/people/org/org.service.js');
  const { UserOperationsService } = await import('../../../server/src/people/account/user-operations.service.js');
  await withServerServices(async (services) => {
    const org = chooseOrganisation(await services.get(OrgService).listAll(), named);
    if (!yes) {
      const users = (await services.get(UserOperationsService).listUsers(org.id)).length;
      throw new UsageError(
        `this deletes "${org.name}" (${org.id}) permanently: ${users} ${users === 1 ? 'user' : 'users'}, all tokens, ` +
          'metrics, points and settings. Confirm with --yes',
      );
    }
    await services.get(OrgOperationsService).delete(org.id);
    terminal.out(
      `Organisation ${org.id}, "${org.name}", is deleted: its sessions, logins and tokens are no longer valid.\n`,
    );
    terminal.err('Its data is erased by a running server with the role detect, beginning within a minute.\n');
  });
}

export function addOrgCommand({ program, terminal }: Cli): Command {
  const org = program
    .command('org')
    .summary('list, create and delete organisations')
    .description(
      'Lists, creates and deletes the organisations of this installation. Works while a server is running, too.',
    );
  org
    .command('list')
    .summary('list organisations')
    .description('Lists all organisations, oldest first. Organisations that are being erased are not listed.')
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', examples('plumbline org list', 'plumbline org list --json'))
    .action((options: { json?: true }) => listOrganisations(options, terminal));
  org
    .command('create')
    .summary('create an organisation')
    .description('Creates an organisation without users; "plumbline user create" adds its first administrator.')
    .argument('<name>', 'name of the organisation', organisationName)
    .option('--timezone <zone>', 'its IANA time zone', timezoneOption, 'UTC')
    .addHelpText(
      'after',
      examples(
        'plumbline org create "Example Ltd" --timezone Europe/Oslo',
        'plumbline user create --org "Example Ltd" --email ada@example.org --admin',
      ),
    )
    .action((name: string, options: { timezone: string }) => createOrganisation(name, options, terminal));
  org
    .command('delete')
    .summary('delete an organisation with all its data')
    .description(
      'Deletes an organisation. Its users can no longer log in, and their addresses can be used again. Its tokens become ' +
        'invalid within five seconds. A running server erases its data, step by step. This cannot be undone.',
    )
    .argument('<organisation>', 'name or id of the organisation')
    .option('--yes', 'confirm the deletion')
    .addHelpText('after', examples('plumbline org delete "Example Ltd" --yes', 'plumbline org delete 3 --yes'))
    .action((named: string, options: { yes?: true }) => deleteOrganisation(named, options, terminal));
  return org;
}
