import { type Command } from 'commander';
import { type BackupManifest } from '#libs/embedded-postgres';
import { CliError, ExitCode } from '../cli-error.js';
import { type Cli, examples } from '../command-line.js';
import { type Progress, startProgress } from '../progress.js';
import { toCliError } from '../server-access.js';
import { type Terminal } from '../terminal.js';

interface BackupOptions {
  /** Commander's name for `--without-key`. */
  withoutKey?: true;
}

/** The parts of the server that both commands need, loaded on demand. */
async function load() {
  const [{ environment }, { loadConfig }, { CONFIG_CLASSES }, { DatabaseConfig }, { ServerConfig }, embedded, product] =
    await Promise.all([
      import('../../../server/src/common/config/environment.config.js'),
      import('../../../server/src/common/config/load-config.js'),
      import('../../../server/src/config.registry.js'),
      import('../../../server/src/common/database/database.config.js'),
      import('../../../server/src/common/config/server.config.js'),
      import('#libs/embedded-postgres'),
      import('../../../server/src/common/product-version.js'),
    ]);
  const config = loadConfig(CONFIG_CLASSES, environment());
  return {
    server: config.get(ServerConfig),
    isExternal: config.get(DatabaseConfig).url !== undefined,
    embedded,
    productVersion: product.productVersion(),
  };
}

const EXTERNAL = 'DATABASE_URL is set: the database is not Plumbline’s own, and has backups of its own. ';

async function backUp(folder: string, { withoutKey }: BackupOptions, terminal: Terminal): Promise<void> {
  const { server, isExternal, embedded, productVersion } = await load();
  if (isExternal) {
    throw new CliError(
      `${EXTERNAL}Run pg_dump -Fc --dbname "$DATABASE_URL" --file plumbline.dump at any time, without stopping ` +
        'anything, and keep the secret key apart (docs/guide/backup.md)',
      ExitCode.BadInput,
    );
  }
  const isKeySetting = server.secretKey !== undefined;
  await withProgress(terminal, async (common) => {
    const manifest = await embedded.backUpEmbeddedPostgres({
      ...common,
      dataFolder: server.dataFolder,
      folder,
      productVersion,
      secretKey: isKeySetting ? 'environment' : withoutKey ? 'left out' : 'included',
    });
    terminal.out(
      `Backup complete in ${folder}: ${sizesOf(manifest, embedded.sizeOf)}, all that was acknowledged before ${manifest.endedAt}\n`,
    );
    terminal.err(KEY_NOTES[manifest.secretKey]);
  });
}

const KEY_NOTES: Readonly<Record<BackupManifest['secretKey'], string>> = {
  included: 'It includes the secret key (secret.key), which opens stored credentials: keep the backup safe.\n',
  'left out':
    'The backup does not contain the secret key: keep a copy of secret.key of the data folder elsewhere. A restore needs it.\n',
  environment:
    'The secret key is a setting (PLUMBLINE_SECRET_KEY), so the backup does not contain it: keep it elsewhere. A restore needs it.\n',
};

async function restore(folder: string, terminal: Terminal): Promise<void> {
  const [{ server, isExternal, embedded }, { MIGRATIONS }] = await Promise.all([
    load(),
    import('../../../server/migrations/index.js'),
  ]);
  if (isExternal) {
    throw new CliError(
      `${EXTERNAL}Run pg_restore into an empty database (docs/guide/backup.md), or unset DATABASE_URL to restore into ` +
        'the data folder',
      ExitCode.BadInput,
    );
  }
  await withProgress(terminal, async (common) => {
    const manifest = await embedded.restoreEmbeddedPostgres({
      ...common,
      dataFolder: server.dataFolder,
      folder,
      migrations: MIGRATIONS.map(({ name }) => name),
    });
    terminal.out(
      `Restored into ${server.dataFolder}: the state of ${manifest.endedAt}. "plumbline serve" starts with it.\n`,
    );
    const isKeyMissing = manifest.secretKey !== 'included' && server.secretKey === undefined;
    if (isKeyMissing) {
      const remedy =
        manifest.secretKey === 'environment'
          ? 'set PLUMBLINE_SECRET_KEY'
          : `put it into ${server.dataFolder} as secret.key`;
      terminal.err(`The backup does not contain the secret key: before the start, ${remedy}.\n`);
    }
  });
}

interface Common {
  log: (line: string) => void;
  onStart: (bytes: number) => (bytes: number) => void;
  signal: AbortSignal;
}

async function withProgress(terminal: Terminal, work: (common: Common) => Promise<void>): Promise<void> {
  let progress: Progress | undefined;
  const signal = terminal.interruption();
  try {
    await work({
      log: (line) => terminal.err(`${line}\n`),
      onStart: (bytes) => {
        terminal.err(`Copying ${inMegabytes(bytes)}\n`);
        progress = startProgress(terminal, 'Copying', bytes);
        return (piece) => progress?.advance(piece);
      },
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw new CliError('interrupted: all partial files were removed', ExitCode.Interrupted);
    const cliError = toCliError(error);
    throw cliError instanceof CliError
      ? cliError
      : new CliError(error instanceof Error ? error.message : String(error));
  } finally {
    progress?.stop();
  }
}

/** Whole megabytes in every message, so that the sizes of a backup and of its restore can be compared. */
const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;

/** `90 MB (73 MB of files and 17 MB of changes meanwhile)`: the beginning of a backup announces only the files. */
export function sizesOf(
  { files }: Pick<BackupManifest, 'files'>,
  sizeOf: (files: BackupManifest['files']) => number,
): string {
  const changes = sizeOf(files.filter(({ path }) => path.includes('/pg_wal/')));
  const all = sizeOf(files);
  return `${inMegabytes(all)} (${inMegabytes(all - changes)} of files and ${inMegabytes(changes)} of changes meanwhile)`;
}

export function addBackupCommand({ program, terminal }: Cli): Command {
  return program
    .command('backup <dir>')
    .summary('back up the embedded database and the secret key, while the product runs')
    .description(
      'Copies the embedded database and the secret key into a new or empty folder, whether the product is running or stopped. ' +
        'The copy contains everything that was acknowledged before it ended. For a database of DATABASE_URL, use pg_dump ' +
        '(docs/guide/backup.md).',
    )
    .option('--without-key', 'leave out the secret key; to restore, you then need it from elsewhere')
    .addHelpText(
      'after',
      examples('plumbline backup /mnt/backup/$(date +%F)', 'plumbline backup --without-key /mnt/backup/plumbline'),
    )
    .action(async (folder: string, options: BackupOptions) => {
      try {
        await backUp(folder, options, terminal);
      } catch (error) {
        throw toCliError(error);
      }
    });
}

export function addRestoreCommand({ program, terminal }: Cli): Command {
  return program
    .command('restore <dir>')
    .summary('restore a backup into an empty data folder')
    .description(
      'Restores a backup of "plumbline backup" into the data folder (PLUMBLINE_DATA), which must be empty or not exist. ' +
        'Every file is checked against the list of the backup. Start the product afterwards.',
    )
    .addHelpText('after', examples('PLUMBLINE_DATA=/var/lib/plumbline plumbline restore /mnt/backup/2026-10-01'))
    .action(async (folder: string) => {
      try {
        await restore(folder, terminal);
      } catch (error) {
        throw toCliError(error);
      }
    });
}
