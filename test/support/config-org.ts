import { Permission } from '#libs/contracts';
import { AdminAlertModule } from '../../apps/server/src/alerting/admin-alert/admin-alert.module.js';
import { ConfigDocumentModule } from '../../apps/server/src/views/config-document/config-document.module.js';
import { IntegrationModule } from '../../apps/server/src/alerting/integration/integration.module.js';
import { WatcherModule } from '../../apps/server/src/alerting/watcher/watcher.module.js';
import { TuningModule } from '../../apps/server/src/teaching/tuning/tuning.module.js';
import { type Answer, MetricApp } from './metric-app.js';

/** The change that a document made to one object. */
export interface ConfigChange {
  kind: string;
  name: string;
  action: string;
  diff: string;
}

/** The application with all areas whose settings are part of configuration documents. */
export const aConfigApp = (): Promise<MetricApp> =>
  MetricApp.create({ env: { PLUMBLINE_OUTGOING: 'any' } }, [
    AdminAlertModule,
    ConfigDocumentModule,
    IntegrationModule,
    TuningModule,
    WatcherModule,
  ]);

/** An organisation whose configuration an administrator exports and applies. */
export class ConfigOrg {
  private constructor(
    private readonly app: MetricApp,
    readonly id: number,
    readonly token: string,
  ) {}

  static async create(app: MetricApp): Promise<ConfigOrg> {
    const { id } = await app.anOrg();
    return new ConfigOrg(app, id, await app.aToken(id, Permission.Read, Permission.Write, Permission.Admin));
  }

  /** Applies a document; returns the answer, also when the document is rejected. */
  answerTo(document: string, options: object = {}): Promise<Answer> {
    return this.app.call('post', '/config/apply', { token: this.token }, { document, ...options });
  }

  /** Applies a document that must be accepted. */
  async apply(document: string, options: object = {}): Promise<ConfigChange[]> {
    const answer = await this.answerTo(document, options);
    expect([answer.status, answer.data.error?.details, answer.data.message]).toEqual([200, undefined, 'OK']);
    return changesOf(answer);
  }

  async exported(format = 'yaml'): Promise<string> {
    return (await this.call('get', `/config/export?format=${format}`)).data.document as string;
  }

  /** Makes a call that must succeed. */
  async call(method: 'get' | 'post' | 'put', path: string, body?: object): Promise<Answer> {
    const answer = await this.app.call(method, path, { token: this.token }, body);
    expect([path, body, answer.status, answer.data.error?.details]).toEqual([path, body, 200, undefined]);
    return answer;
  }

  async auditEntries(): Promise<number> {
    const rows = await this.app.database.dataSource.query<object[]>('SELECT id FROM audit_entry WHERE org_id = $1', [
      this.id,
    ]);
    return rows.length;
  }
}

export const changesOf = ({ data }: Answer): ConfigChange[] => data.changes as ConfigChange[];

/** For example `updated watcher API errors`. */
export const actionsOf = (answer: Answer): string[] =>
  changesOf(answer).map(({ kind, name, action }) => `${action} ${kind} ${name}`);
