import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type pg from 'pg';
import { diskSpaceOf } from '#libs/embedded-postgres';
import { diskText } from '#libs/wording';
import { type ServerConfig } from '../../../server/src/common/config/server.config.js';
import { KeySource } from '../../../server/src/common/secrets/key-source.js';
import { type KeyRing } from '../../../server/src/common/secrets/key-ring.js';
import { InvalidSecretKeyError } from '../../../server/src/common/secrets/secret-key.js';
import { failed, type Finding, ok, warning } from './finding.js';

const MIN_BYTES = 200e6;
const LITTLE_BYTES = 2e9;
const LITTLE_DAYS = 14;

/** Free space of a file system, bytes; tests pass their own function. */
export type FreeSpace = (folder: string) => Promise<number>;

export const freeSpace: FreeSpace = async (folder) => (await diskSpaceOf(folder)).free;

/**
 * Checks whether the data folder is writable, and how long its free space will last.
 * @param growth growth of the database, bytes per day; null if unknown, or if the database is elsewhere
 */
export async function checkDisk(dataFolder: string, growth: number | null, free: FreeSpace): Promise<Finding> {
  const check = 'disk';
  const folder = resolve(dataFolder);
  const existing = await nearest(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch {
    const message = `the data folder ${folder} cannot be written to by this user`;
    return failed(check, message, `Run as the owner of ${existing}, or set PLUMBLINE_DATA to another folder`);
  }
  const bytes = await free(existing);
  const days = growth === null || growth <= 0 ? null : bytes / growth;
  const grows = growth === null ? '' : `; about ${diskText(growth)} a day are added`;
  const message = `${diskText(bytes)} free for ${folder}${grows}`;
  const advice = 'Make room, enlarge the disk, or keep data for a shorter time (docs/guide/retention.md)';
  if (bytes < MIN_BYTES) return failed(check, message, advice);
  if (bytes < LITTLE_BYTES) return warning(check, message, advice);
  if (days !== null && days < LITTLE_DAYS) {
    return warning(check, `${message}, enough for ${Math.floor(days)} days until old data is removed`, advice);
  }
  return ok(check, message);
}

/** The folder, or its nearest existing parent folder. */
async function nearest(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  return found !== null || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

/** Growth in bytes per day: the size of the last whole days of points; null if there is no whole day yet. */
export async function growthPerDay(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ growth: number | null }>(
    `SELECT avg(bytes)::float8 AS growth FROM (
       SELECT pg_total_relation_size(c.oid) AS bytes FROM pg_class c
       WHERE c.relkind = 'r' AND c.relname ~ '^series_block_[0-9]{8}$' AND c.relnamespace = current_schema()::regnamespace
         AND right(c.relname, 8) < to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
         AND right(c.relname, 8) >= to_char(now() AT TIME ZONE 'UTC' - interval '7 days', 'YYYYMMDD')) AS days`,
  );
  return rows[0]!.growth;
}

/** Checks that the secret key exists, that it is a key of the database, and that other users cannot read it. */
export async function checkSecretKey(config: ServerConfig, client: pg.Client | null): Promise<Finding> {
  const check = 'secret key';
  const source = new KeySource(config);
  let ring: KeyRing | undefined;
  try {
    ring = source.file ? await source.file.read() : await source.read();
  } catch (error) {
    const message = error instanceof InvalidSecretKeyError ? error.message : `${source.name} cannot be read`;
    return failed(
      check,
      message,
      'Restore the correct key, or run as the user of the product (docs/guide/secret-keys.md)',
    );
  }
  const needed = client === null ? [] : await neededKeys(client);
  if (ring === undefined) {
    if (needed.length === 0) return ok(check, `the first start creates ${source.name}`);
    const message = `${source.name} is missing; the database needs the key ${needed.join(', ')}`;
    return failed(check, message, 'Restore the file, for example from a backup (docs/guide/secret-keys.md)');
  }
  const own = new Set(ring.keys.map(({ key }) => key.id));
  const missing = needed.filter((id) => !own.has(id));
  if (missing.length > 0) {
    const message = `the database needs the key ${missing.join(', ')}, and ${source.name} holds ${[...own].join(', ')}`;
    return failed(check, message, 'Restore the correct key (docs/guide/secret-keys.md#when-it-is-the-wrong-one)');
  }
  const mode = source.file ? (await stat(source.file.path)).mode & 0o777 : 0o600;
  if ((mode & 0o077) !== 0) {
    return warning(check, `${source.name} can be read by other users`, `Run chmod 600 ${source.name}`);
  }
  return ok(check, `${[...own][0]!} from ${source.name}`);
}

async function neededKeys(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('secret_key') IS NOT NULL AS found`,
  );
  if (!tables[0]!.found) return [];
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM secret_key WHERE forgotten_at IS NULL ORDER BY id',
  );
  return rows.map(({ id }) => id);
}
