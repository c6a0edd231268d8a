import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Connections that are short-lived, or lead to a server on this machine, with the reason. */
const OTHERS: Readonly<Record<string, string>> = {
  'apps/server/src/common/database/open-database.ts': 'asks for the version and ends',
  'apps/server/src/common/database/plain-connection.ts': 'commands that read a little and end',
  'apps/server/src/data/source/sql/postgres-query.ts': 'a database of a tenant, for one query with a time limit',
  'apps/cli/src/doctor/database-checks.ts': 'asks a few questions and ends',
  'libs/embedded-postgres/src/application-role.ts': 'the embedded database',
  'libs/embedded-postgres/src/backup.ts': 'the embedded database',
  'libs/embedded-postgres/src/embedded-postgres.ts': 'the embedded database',
};

describe('connections to the database', () => {
  it('use keepalive when they are long-lived, to detect a lost host', async () => {
    const offences: string[] = [];
    const without = new Set<string>();
    for (const folder of ['apps', 'libs']) {
      for (const file of await readdir(join(ROOT, folder), { recursive: true })) {
        const path = join(folder, file);
        if (!path.endsWith('.ts') || path.endsWith('spec.ts')) continue;
        for (const [, options] of (await readFile(join(ROOT, path), 'utf8')).matchAll(
          /new pg\.(?:Client|Pool)\(([^;]*)/g,
        )) {
          if (options!.includes('...lastingConnection(')) continue;
          without.add(path);
          if (!(path in OTHERS)) offences.push(path);
        }
      }
    }

    expect(offences).toEqual([]);
    expect([...without].sort()).toEqual(Object.keys(OTHERS).sort());
  });
});
