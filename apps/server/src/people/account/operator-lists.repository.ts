import pg from 'pg';
import { type UserState } from '../user/user.types.js';

export interface ListedOrganisation {
  id: number;
  name: string;
  timezone: string;
  createdAt: Date;
  users: number;
  isDemo: boolean;
}

export interface ListedUser {
  id: number;
  email: string | null;
  name: string;
  state: UserState;
  admin: boolean;
  demo: boolean;
  lastLoginAt: Date | null;
  orgId: number;
}

/**
 * What the command line lists. On a connection of its own, without TypeORM: loading that takes several times as long as
 * listing. Organisations that are being erased are left out.
 */
export class OperatorListsRepository {
  private constructor(private readonly client: pg.Client) {}

  /** `url`: a database that has been opened (openDatabase); `timeoutSeconds` of a statement. */
  static async open(url: string, timeoutSeconds: number): Promise<OperatorListsRepository> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'plumbline',
      statement_timeout: timeoutSeconds * 1000,
    });
    // A lost connection shows in the statement that uses it.
    client.on('error', () => undefined);
    await client.connect();
    return new OperatorListsRepository(client);
  }

  /** Oldest first. */
  async listOrganisations(): Promise<ListedOrganisation[]> {
    const { rows } = await this.client.query<ListedOrganisation>(
      `SELECT o.id, o.name, o.timezone, o.created_at AS "createdAt", o.is_demo AS "isDemo",
              (SELECT count(*)::integer FROM user_account u WHERE u.org_id = o.id) AS users
         FROM org o WHERE o.deleted_at IS NULL ORDER BY o.id`,
    );
    return rows;
  }

  /** Of all organisations, by organisation and id. */
  async listUsers(): Promise<ListedUser[]> {
    const { rows } = await this.client.query<ListedUser>(
      `SELECT u.id, u.email, u.name, u.state, u.admin, u.demo, u.last_login_at AS "lastLoginAt", u.org_id AS "orgId"
         FROM user_account u JOIN org o ON o.id = u.org_id AND o.deleted_at IS NULL ORDER BY u.org_id, u.id`,
    );
    return rows;
  }

  async query(sql: string): Promise<unknown> {
    return (await this.client.query<object>(sql)).rows;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
