import { type Client } from 'pg';
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

/** Lists for the command line, over a plain connection. Organisations that are being erased are excluded. */
export class OperatorListsRepository {
  constructor(private readonly client: Client) {}

  /** Oldest first. */
  async listOrganisations(): Promise<ListedOrganisation[]> {
    const { rows } = await this.client.query<ListedOrganisation>(
      `SELECT o.id, o.name, o.timezone, o.created_at AS "createdAt", o.is_demo AS "isDemo",
              (SELECT count(*)::integer FROM user_account u WHERE u.org_id = o.id) AS users
         FROM org o WHERE o.deleted_at IS NULL ORDER BY o.id`,
    );
    return rows;
  }

  /** Of all organisations, ordered by organisation and id. */
  async listUsers(): Promise<ListedUser[]> {
    const { rows } = await this.client.query<ListedUser>(
      `SELECT u.id, u.email, u.name, u.state, u.admin, u.demo, u.last_login_at AS "lastLoginAt", u.org_id AS "orgId"
         FROM user_account u JOIN org o ON o.id = u.org_id AND o.deleted_at IS NULL ORDER BY u.org_id, u.id`,
    );
    return rows;
  }
}
