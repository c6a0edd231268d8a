import { execFile, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';

/** How the programs of PostgreSQL are started: by which user, and through which other program, if any. */
export interface ProgramAccount {
  /** Set if the programs run as another user than this process. */
  user: { name: string; uid: number; gid: number } | null;
  /** Program and arguments before the program to run; empty if it is run directly. */
  prefix: readonly string[];
}

/** PostgreSQL needs only a few environment variables; a fixed locale makes its messages predictable. */
const PROGRAM_ENVIRONMENT = {
  PATH: ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'].join(delimiter),
  LC_ALL: 'C',
  TZ: 'UTC',
};

const run = promisify(execFile);
const PREFERRED_USERS = ['postgres', 'nobody'];
const OWN_USER = 'plumbline';

/** Tried in this order: the first only allows reading files and passing folders, containers usually have the second. */
const CAPABILITIES = ['dac_read_search', 'dac_override'];

/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root uses the owner of an existing `folder`,
 * or else the first of: postgres, nobody, a new system user. Null for all other users: no change of user.
 */
export async function chooseUser(folder: string): Promise<ProgramAccount['user']> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(folder).catch(() => null);
  if (owner && owner.uid !== 0) return { name: `user ${String(owner.uid)}`, uid: owner.uid, gid: owner.gid };
  for (const name of PREFERRED_USERS) {
    const user = await findUser(name);
    if (user) return user;
  }
  await run('useradd', ['--system', '--user-group', '--no-create-home', OWN_USER], { env: PROGRAM_ENVIRONMENT }).catch(
    () => undefined,
  );
  const created = await findUser(OWN_USER);
  if (created) return created;
  throw new Error(
    `PostgreSQL does not run as root, and there is no other user for it: create one (useradd --system ${OWN_USER}), ` +
      'start as a normal user, or set DATABASE_URL',
  );
}

/**
 * Finds out how `user` can access both `program` and `folder`. They may be below a folder that only root can enter (a
 * clone in /root, a private temporary folder): then setpriv of util-linux leaves the programs one capability of root,
 * for passing folders. `no_setuid_fixup` is needed with it: access(2), by which PostgreSQL checks its own files,
 * otherwise ignores the capabilities of all users except root.
 */
export async function chooseAccount(
  user: ProgramAccount['user'],
  program: string,
  folder: string,
): Promise<ProgramAccount> {
  if (user === null) return { user, prefix: [] };
  const direct: ProgramAccount = { user, prefix: [] };
  const attempts = [direct, ...CAPABILITIES.map((capability) => ({ user, prefix: setpriv(user, capability) }))];
  const failures: string[] = [];
  for (const account of attempts) {
    const failure = await probe(account, program, folder);
    if (failure === null) return account;
    failures.push(failure);
  }
  throw new Error(
    [
      `PostgreSQL does not run as root. As ${user.name} it cannot use ${program} or ${folder}:`,
      ...failures.map((failure) => `  ${failure}`),
      'Let others enter the folders above them (chmod o+x), set PLUMBLINE_DATA to a folder that they can enter, ' +
        'start as a normal user, or set DATABASE_URL.',
    ].join('\n'),
  );
}

/** Command and options for spawn that run `program` under the account. */
export function commandOf(account: ProgramAccount, program: string, args: readonly string[]) {
  const [command, ...rest] = [...account.prefix, program, ...args];
  const identity = account.user && account.prefix.length === 0 ? { uid: account.user.uid, gid: account.user.gid } : {};
  // The working directory of this process may be inaccessible to the other user.
  return { command: command!, args: rest, options: { ...identity, env: PROGRAM_ENVIRONMENT, cwd: '/' } };
}

function setpriv(user: { uid: number; gid: number }, capability: string): string[] {
  return [
    'setpriv',
    ...['--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups'],
    ...['--inh-caps', `+${capability}`, '--ambient-caps', `+${capability}`, '--securebits', '+no_setuid_fixup'],
    '--',
  ];
}

/** The reason why the account cannot run the program from within the folder; null if it can. */
function probe(account: ProgramAccount, program: string, folder: string): Promise<string | null> {
  const script = 'cd "$1" && exec "$2" --version';
  const { command, args, options } = commandOf(account, '/bin/sh', ['-c', script, 'sh', folder, program]);
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
    });
    child.once('error', (error) => resolve(`${command}: ${error.message}`));
    child.once('close', (code) => {
      // PostgreSQL's programs print their version even if they complain that they cannot read themselves.
      const isUsable = code === 0 && complaints === '';
      resolve(isUsable ? null : (complaints.trim().split('\n')[0] ?? `exit code ${String(code)}`));
    });
  });
}

async function findUser(name: string): Promise<ProgramAccount['user']> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { name: `user ${name}`, uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}
