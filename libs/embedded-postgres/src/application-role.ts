import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DATABASE_NAME } from './cluster.js';

/** The application's role in clusters whose superuser has the application's name: those of older versions. */
const ROLE_BESIDE_OLD_SUPERUSER = 'plumbline_application';

/**
 * Finds the objects of a role in a database, as statements that transfer them to another owner; without objects of
 * extensions and dependent ones.
 */
const OWNED = `
  WITH mine AS (SELECT oid FROM pg_roles WHERE rolname = $1),
       schemas AS (SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'),
       of_others AS (SELECT classid, objid FROM pg_depend WHERE deptype IN ('e', 'i', 'a'))
  SELECT format('ALTER SCHEMA %I OWNER TO', nspname) AS statement
  FROM pg_namespace WHERE nspowner IN (SELECT oid FROM mine) AND oid IN (SELECT oid FROM schemas)
  UNION ALL
  SELECT format('ALTER TABLE %s OWNER TO', oid::regclass)
  FROM pg_class c
  WHERE relowner IN (SELECT oid FROM mine) AND relnamespace IN (SELECT oid FROM schemas)
    AND (relkind IN ('r', 'p', 'v', 'm', 'f')
         OR relkind = 'S' AND NOT EXISTS (SELECT FROM of_others d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid))
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO', oid::regprocedure)
  FROM pg_proc p
  WHERE proowner IN (SELECT oid FROM mine) AND pronamespace IN (SELECT oid FROM schemas)
    AND NOT EXISTS (SELECT FROM of_others d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid)
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO', t.oid::regtype)
  FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
  WHERE typowner IN (SELECT oid FROM mine) AND typnamespace IN (SELECT oid FROM schemas)
    AND (typtype IN ('e', 'd', 'r') OR typtype = 'c' AND c.relkind = 'c')
    AND NOT EXISTS (SELECT FROM of_others d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid)`;

/**
 * Creates the application's role and its database if they are missing: an ordinary role that owns the database and its
 * objects, and may do nothing else in the cluster. A cluster of an older version has one role for everything; there,
 * the objects of the superuser are transferred. Can be repeated: the work of a start that was killed is not repeated.
 * @param superuser connection to the maintenance database
 * @returns address of the database for the application
 */
export async function ensureApplicationRole(superuser: pg.Client, superuserUrl: URL, url: URL): Promise<URL> {
  const isOfOlderVersion = url.username === superuserUrl.username;
  const application = new URL(url);
  if (isOfOlderVersion) {
    application.username = ROLE_BESIDE_OLD_SUPERUSER;
    application.password = randomBytes(24).toString('base64url');
  }
  await ensureRole(superuser, application, isOfOlderVersion);
  await ensureDatabase(superuser, application.username);
  if (isOfOlderVersion) await handOver(superuserUrl, application);
  return application;
}

async function ensureRole(superuser: pg.Client, { username, password }: URL, isNewPassword: boolean): Promise<void> {
  const { rowCount } = await superuser.query('SELECT FROM pg_roles WHERE rolname = $1', [username]);
  if (rowCount !== 0 && !isNewPassword) return;
  const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
  await superuser.query(`${verb} ROLE ${pg.escapeIdentifier(username)} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
}

async function ensureDatabase(superuser: pg.Client, owner: string): Promise<void> {
  const { rowCount } = await superuser.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE_NAME]);
  const name = pg.escapeIdentifier(owner);
  if (rowCount === 0) await superuser.query(`CREATE DATABASE ${DATABASE_NAME} OWNER ${name}`);
  else await superuser.query(`ALTER DATABASE ${DATABASE_NAME} OWNER TO ${name}`);
}

async function handOver(superuserUrl: URL, application: URL): Promise<void> {
  const at = new URL(superuserUrl);
  at.port = application.port;
  at.pathname = `/${DATABASE_NAME}`;
  const client = new pg.Client({ connectionString: at.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ statement: string }>(OWNED, [superuserUrl.username]);
    const owner = pg.escapeIdentifier(application.username);
    // One by one: in a single transaction, they would need a lock for each of thousands of tables.
    for (const { statement } of rows) await client.query(`${statement} ${owner}`);
  } finally {
    await client.end();
  }
}
