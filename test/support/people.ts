import { EventRecorderService } from '../../apps/server/src/platform/event/event-recorder.service.js';
import { type User } from '../../apps/server/src/people/user/user.types.js';
import { type IdentityApp } from './identity-app.js';
import { type Answer } from './metric-app.js';

export interface Person {
  user: User;
  session: string;
}

/** Calls of people, with the events and audit entries of these calls, for tests of an IdentityApp. */
export class People {
  constructor(private readonly identity: IdentityApp) {}

  async admin(orgId: number): Promise<Person> {
    return this.person(await this.identity.aUser(orgId, { admin: true, name: 'Ann' }));
  }

  async member(orgId: number): Promise<Person> {
    return this.person(await this.identity.aUser(orgId, { name: 'Ben' }));
  }

  /** A demo user, who may only read. */
  async visitor(orgId: number): Promise<Person> {
    const user = await this.identity.aUser(orgId);
    await this.identity.database.dataSource.query('UPDATE user_account SET demo = true WHERE id = $1', [user.id]);
    return this.person(user);
  }

  /** @param credential a session id or a token */
  async call(
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    credential?: string,
    body?: object,
  ): Promise<Answer & { code: string | undefined; fields: unknown[]; sessionId: string }> {
    const call = this.identity.http()[method](`/api${path}`);
    if (credential !== undefined) {
      call.set(credential.startsWith('pl_') ? 'X-Auth-Token' : 'X-Session-Id', credential);
    }
    const { status, headers, body: answer } = await (body === undefined ? call : call.send(body));
    const error = answer.data?.error as { code: string; details: { field: string; code: string }[] } | undefined;
    return {
      status,
      headers,
      data: answer.data,
      code: error?.code,
      fields: (error?.details ?? []).map(({ field, code }) => [field, code]),
      sessionId: answer.status.session_id,
    };
  }

  /** Events of an organisation as [type, text], oldest first. */
  async events(orgId: number): Promise<[type: string, text: string][]> {
    await this.identity.get(EventRecorderService).flush();
    const rows = await this.identity.database.dataSource.query<{ type: string; text: string }[]>(
      'SELECT type, text FROM org_event WHERE org_id = $1 ORDER BY id',
      [orgId],
    );
    return rows.map(({ type, text }) => [type, text]);
  }

  /** Audit entries of an organisation as [action, name of the actor, name of the object, changes], oldest first. */
  async audit(orgId: number): Promise<unknown[][]> {
    const rows = await this.identity.database.dataSource.query<
      { action: string; actor_name: string; object_name: string; changes: unknown }[]
    >('SELECT action, actor_name, object_name, changes FROM audit_entry WHERE org_id = $1 ORDER BY id', [orgId]);
    return rows.map((row) => [row.action, row.actor_name, row.object_name, row.changes]);
  }

  private async person(user: User): Promise<Person> {
    return { user, session: await this.identity.aSession(user.id) };
  }
}

/** The value of a parameter of the only link in a mail. */
export function parameterOf(text: string | undefined, name: string): string {
  const url = /https:\/\/\S+/.exec(text ?? '')?.[0] ?? '';
  return new URL(url).searchParams.get(name) ?? '';
}
