import { type Command, InvalidArgumentError } from 'commander';
import { type GivenUpMessage } from '../../../server/src/alerting/alert/given-up.repository.js';
import { type GivenUpMessagesService } from '../../../server/src/alerting/alert/given-up-messages.service.js';
import { UsageError } from '../cli-error.js';
import { type Cli, examples, wholeNumberOption } from '../command-line.js';
import { chooseOrganisation } from '../organisation.js';
import { plainTable } from '../plain-table.js';
import { withServerServices } from '../server-access.js';
import { type Terminal } from '../terminal.js';

interface ListOptions {
  org?: string;
  limit: number;
  json?: boolean;
}

interface ActOptions {
  org?: string;
  all?: boolean;
}

const LARGEST_ID = 2_147_483_647;
const MAX_LISTED = 10_000;
const LONGEST_TEXT = 60;

const idArgument = wholeNumberOption(1, LARGEST_ID);

async function withMessages(
  org: string | undefined,
  work: (messages: GivenUpMessagesService, orgId: number | null) => Promise<void>,
): Promise<void> {
  const { OrgService } = await import('../../../server/src/people/org/org.service.js');
  const { GivenUpMessagesService } = await import('../../../server/src/alerting/alert/given-up-messages.service.js');
  await withServerServices(async (services) => {
    const orgId = org === undefined ? null : chooseOrganisation(await services.get(OrgService).listAll(), org).id;
    await work(services.get(GivenUpMessagesService), orgId);
  });
}

async function list({ org, limit, json }: ListOptions, terminal: Terminal): Promise<void> {
  await withMessages(org, async (service, orgId) => {
    const { messages, total } = await service.list({ orgId, ids: null }, limit);
    if (json === true) {
      terminal.out(`${JSON.stringify({ total, messages: messages.map(asJson) }, null, 2)}\n`);
      return;
    }
    if (messages.length === 0) {
      terminal.err('There are no undelivered messages.\n');
      return;
    }
    const head = ['Id', 'Organisation', 'Given up', 'Channel', 'To', 'Tries', 'Message', 'Reason'];
    terminal.out(plainTable(head, messages.map(rowOf)));
    if (total > messages.length) terminal.err(`${total - messages.length} more; --limit shows them.\n`);
  });
}

async function act(
  what: 'resend' | 'drop',
  ids: readonly number[],
  { org, all }: ActOptions,
  terminal: Terminal,
): Promise<void> {
  if ((ids.length === 0) === (all !== true)) throw new UsageError('give the ids of messages, or --all');
  await withMessages(org, async (service, orgId) => {
    const done = await service[what]({ orgId, ids: ids.length === 0 ? null : ids });
    const known = new Set(done.map(({ id }) => id));
    const unknown = ids.filter((id) => !known.has(id));
    terminal.out(`${done.length} ${done.length === 1 ? 'message' : 'messages'} ${DONE[what]}.\n`);
    if (unknown.length > 0) throw new UsageError(`not among the undelivered messages: ${unknown.join(', ')}`);
  });
}

const DONE = { resend: 'queued again', drop: 'dropped' } as const;

const timeOf = ({ givenUpAt }: GivenUpMessage): string => `${new Date(givenUpAt * 1000).toISOString().slice(0, 19)}Z`;
const short = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text);

function rowOf(message: GivenUpMessage): string[] {
  const { id, orgId, channel, recipient, tries, title, reason } = message;
  return [String(id), String(orgId), timeOf(message), channel, recipient, String(tries), short(title), short(reason)];
}

function asJson(message: GivenUpMessage): object {
  const { id, orgId, channel, phase, recipient, tries, title, reason, givenUpAt } = message;
  return {
    id,
    org_id: orgId,
    channel,
    phase,
    recipient,
    attempts: tries,
    title,
    reason,
    timestamp: Math.floor(givenUpAt),
  };
}

function ids(text: string, before: number[] = []): number[] {
  if (before.length >= MAX_LISTED) throw new InvalidArgumentError('Too many.');
  return [...before, idArgument(text)];
}

export function addAlertsCommand(cli: Cli): Command {
  const alerts = cli.program
    .command('alerts')
    .summary('list alert messages that could not be delivered; send them again or delete them')
    .description(
      'Alert messages that could not be delivered and are no longer retried: lists them, sends them again, or deletes them. ' +
        'Works while a server is running, too.',
    );
  alerts
    .command('failed')
    .summary('list alert messages that could not be delivered')
    .description(
      'Lists the alert messages whose delivery failed and that are no longer retried, newest first, with the reason. Works while a server is running, too.',
    )
    .option('--org <organisation>', 'name or id of the organisation (default: all)')
    .option('--limit <number>', 'maximum number of messages in the list', wholeNumberOption(1, MAX_LISTED), 50)
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', examples('plumbline alerts failed', 'plumbline alerts failed --org "Example Ltd" --json'))
    .action((options: ListOptions) => list(options, cli.terminal));
  for (const what of ['resend', 'drop'] as const) {
    alerts
      .command(what)
      .summary(what === 'resend' ? 'send undelivered alert messages again' : 'delete undelivered alert messages')
      .description(
        what === 'resend'
          ? 'Queues undelivered alert messages again, with the full number of retries. Messages about anomalies that have ended are sent too.'
          : 'Deletes undelivered alert messages. They are no longer counted or listed.',
      )
      .argument('[ids...]', 'ids of messages, as "plumbline alerts failed" shows them', ids)
      .option('--all', 'all undelivered messages')
      .option('--org <organisation>', 'only those of this organisation: name or id')
      .addHelpText('after', examples(`plumbline alerts ${what} 4711 4712`, `plumbline alerts ${what} --all --org 1`))
      .action((chosen: number[], options: ActOptions) => act(what, chosen, options, cli.terminal));
  }
  return alerts;
}
