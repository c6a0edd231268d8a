import { setTimeout as sleep } from 'node:timers/promises';
import { type Command } from 'commander';
import { type KeyRotationService, type KeyStatus } from '../../../server/src/platform/keys/key-rotation.service.js';
import { CliError } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { withServerServices } from '../server-access.js';
import { type Terminal } from '../terminal.js';

const ENVIRONMENT_STEPS =
  'The keys come from the environment. To change them: put a new key (openssl rand -base64 32) into\n' +
  'PLUMBLINE_SECRET_KEY_PREVIOUS of every process; then make it PLUMBLINE_SECRET_KEY everywhere, with the old one in\n' +
  'PLUMBLINE_SECRET_KEY_PREVIOUS; then run "plumbline key rotate" with the same settings.\n';

async function withKeys<T>(work: (keys: KeyRotationService) => Promise<T>, isKeyChecked = true): Promise<T> {
  const { KeyRotationService } = await import('../../../server/src/platform/keys/key-rotation.service.js');
  return withServerServices((services) => work(services.get(KeyRotationService)), { isKeyChecked });
}

function dateOf(seconds: number | null): string {
  return seconds === null ? 'unknown' : new Date(seconds * 1000).toISOString();
}

function describe({ source, keys, hashed, signedUntil }: KeyStatus): string {
  const lines = keys.map(({ id, state, usedFrom, sealed }) => {
    const stored = `${sealed} sealed ${sealed === 1 ? 'copy' : 'copies'}`;
    return `  ${id}  ${state.padEnd(8)}  used from ${dateOf(usedFrom)}  ${stored}\n`;
  });
  const ends = hashed.map(({ name, count }) => `  ${count} ${name}\n`);
  if (signedUntil !== null) ends.push(`  links to graphs in mails and chats, until ${dateOf(signedUntil)}\n`);
  const needed = ends.length === 0 ? '' : `Valid only under previous keys, until those are removed:\n${ends.join('')}`;
  return `Keys of this installation (${source}):\n${lines.join('')}${needed}`;
}

/** The next step of `rotate`, depending on the current state. */
function planOf({ source, keys }: KeyStatus): string {
  const newest = keys[0]!;
  const toMove = keys
    .filter(({ state }, at) => at > 0 && state !== 'missing')
    .reduce((sum, { sealed }) => sum + sealed, 0);
  if (newest.state === 'next' || toMove > 0) {
    return `Would continue the rotation to the key ${newest.id}: ${toMove} sealed copies to move.\n`;
  }
  if (source === 'PLUMBLINE_SECRET_KEY') return `Everything is sealed under ${newest.id}.\n${ENVIRONMENT_STEPS}`;
  return `Would generate a new key in ${source} and move ${newest.sealed} sealed copies to it.\n`;
}

async function rotate({ dryRun }: { dryRun?: true }, terminal: Terminal): Promise<void> {
  await withKeys(async (keys) => {
    const before = await keys.status();
    if (dryRun) {
      terminal.out(planOf(before));
      return;
    }
    const { keyId, moved, unreadable, left } = await keys.rotate({
      log: (line) => terminal.err(`${line}\n`),
      pause: (seconds) => sleep(seconds * 1000),
    });
    terminal.out(`The key ${keyId} is in use; ${moved} sealed ${moved === 1 ? 'copy' : 'copies'} moved to it.\n`);
    if (moved === 0 && before.keys[0]!.id === keyId) terminal.err(ENVIRONMENT_STEPS);
    if (unreadable > 0) {
      terminal.err(`${unreadable} sealed copies cannot be opened with the available keys and stay unchanged.\n`);
    }
    if (left > 0) throw new CliError(`${left} sealed copies were in use: run the command again to move them`);
  });
}

async function forgetPrevious({ force = false }: { force?: true | false }, terminal: Terminal): Promise<void> {
  await withKeys(async (keys) => {
    const { source, keys: all } = await keys.forgetPrevious(force);
    const forgotten = all.filter(({ state }) => state !== 'in use').map(({ id }) => id);
    terminal.out(forgotten.length === 0 ? 'There is no previous key.\n' : `Forgotten: ${forgotten.join(', ')}\n`);
    if (source === 'PLUMBLINE_SECRET_KEY' && forgotten.length > 0) {
      terminal.err('Remove PLUMBLINE_SECRET_KEY_PREVIOUS from the settings and restart the processes.\n');
    }
  }, false);
}

export function addKeyCommand(cli: Cli): Command {
  const { terminal } = cli;
  const key = cli.program
    .command('key')
    .summary('show and replace the secret key that encrypts stored credentials')
    .description(
      'Shows and replaces the secret key, which encrypts stored credentials and protects sessions, tokens and links.',
    );
  key
    .command('status')
    .summary('show which secret keys exist, and what still needs each of them')
    .description(
      'Shows which secret keys exist, and what still needs each of them. Keys are shown by their ids, never by their values.',
    )
    .addHelpText('after', examples('plumbline key status'))
    .action(() => withKeys(async (keys) => terminal.out(describe(await keys.status())), false));
  key
    .command('rotate')
    .summary('replace the secret key and re-encrypt what is stored under it')
    .description(
      'Generates a new secret key, keeps the old one, and re-encrypts all stored secrets with the new one. Works while servers are ' +
        'running: users stay logged in, and tokens stay valid. If it is interrupted, run it again. If the key comes from the ' +
        'environment, change it there first (docs/guide/secret-keys.md).',
    )
    .option('--dry-run', 'only show what would be done')
    .addHelpText('after', examples('plumbline key rotate --dry-run', 'plumbline key rotate'))
    .action((options: { dryRun?: true }) => rotate(options, terminal));
  key
    .command('forget-previous')
    .summary('remove replaced keys that nothing needs any more')
    .description(
      'Removes replaced keys that nothing needs any more, which is the case at the latest 180 days after a rotation. With --force, ' +
        'removes them immediately: users who logged in before the rotation must log in again.',
    )
    .option('--force', 'remove them even if sessions, known clients or links become invalid, or a key is lost')
    .addHelpText('after', examples('plumbline key forget-previous', 'plumbline key forget-previous --force'))
    .action((options: { force?: true }) => forgetPrevious(options, terminal));
  return key;
}
