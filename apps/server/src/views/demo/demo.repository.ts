import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { DemoOrgEntity } from './demo.entity.js';

/** An organisation that visitors may view, as stored. */
export interface DemoOrgRow {
  orgId: number;
  theme: string;
  resetAt: Date;
}

export interface PublicDemo {
  id: number;
  theme: string;
  name: string;
  timezone: string;
  /** Without removed metrics. */
  metricsCount: number;
}

/** Columns of `org` that are not settings: a reset keeps them. */
const KEPT_COLUMNS = [
  'id',
  'is_demo',
  'onboarding_status_id',
  'data_stopped_at',
  'created_at',
  'deleted_at',
  'wipe_at',
];

/**
 * Tables with an `org_id` whose rows a reset deletes: settings of people. A demo organisation is created without any,
 * except the tuning of its story and its first watchers, which stay. Each table with an `org_id` is in one of the two
 * lists; a test reports missing ones.
 */
export const CLEARED_TABLES = [
  'admin_alert',
  'exclusion',
  'integration',
  'org_recipient',
  'source',
  'token',
  'tuning',
  'watcher',
] as const;

/** Condition for the rows that a reset deletes, for tables whose initial rows stay. */
const STRANGE_ROWS: Partial<Record<(typeof CLEARED_TABLES)[number], string>> = {
  tuning: 'AND id NOT IN (SELECT tuning_id FROM demo_story WHERE tuning_id IS NOT NULL)',
  watcher: 'AND (NOT built_in OR updated_at <> created_at OR deleted_at IS NOT NULL)',
};

/** Tables that a reset does not touch, and why. */
export const KEPT_TABLES: Readonly<Record<string, string>> = {
  alert: 'as anomaly',
  alert_burst: 'goes with its incident',
  alert_change: 'what is still to be decided',
  alert_delivery: 'goes with its alert',
  alert_plan: 'as alert',
  anomaly: 'what was found in the series',
  anomaly_candidate: 'on its way to a verdict',
  anomaly_resemblance: 'goes with its anomaly',
  audit_entry: 'never changed',
  benchmark: 'forgotten by itself after seven days',
  billing_account: 'plans are the business of the operator',
  billing_checkout: 'as billing_account',
  billing_event: 'as billing_account',
  billing_record: 'as billing_account',
  demo_org: 'the list of demo organisations itself',
  demo_story: 'what the demo was taught',
  demo_visitor: 'goes with its user',
  anomaly_change: 'what is still to be grouped',
  incident: 'follows anomaly',
  incident_anomaly: 'follows anomaly',
  issue_report: 'what somebody has told the operator',
  mail_outbox: 'on its way',
  operator_alert: 'what the operator is to know of requests',
  metric: 'metrics that are not of the theme are erased one by one',
  metric_change: 'forgotten by itself',
  metric_search: 'follows metric',
  metric_search_pending: 'follows metric',
  org_event: 'what happened',
  org_point_count: 'how many points came in',
  pattern: 'what the demo was taught; visitors cannot change it',
  pattern_match: 'as anomaly',
  pending_pattern: 'on its way to a pattern',
  progress: 'jobs are cleared, the onboarding stays and tours go with their users',
  series_doomed: 'what another store has to delete',
  series_outside: 'belongs to the points of metrics',
  stream_event: 'forgotten by itself within minutes',
  stream_floor: 'follows stream_event',
  stream_listener: 'who listens now',
  source_write_back: 'goes with its source',
  sso_identity: 'goes with its user',
  test_send: 'forgotten by itself within minutes',
  training: 'as pattern',
  tuning_application: 'brings what is left of the tunings to the metrics',
  threshold_breach: 'goes with its watcher',
  threshold_change: 'as anomaly',
  watcher_recipient: 'goes with its watcher or its user',
  watcher_start: 'the watchers of a new organisation are made again where one is missing',
  user_account: 'visitors go after seven days, all others are deleted',
};

/** Demo organisations, their visitors, and resets: changes rows of other areas' tables with separate SQL. */
@Injectable()
export class DemoRepository {
  constructor(@InjectRepository(DemoOrgEntity) private readonly rows: Repository<DemoOrgEntity>) {}

  /** Every organisation that visitors may view, oldest first. */
  listAll(): Promise<DemoOrgRow[]> {
    return this.rows.find({ select: { orgId: true, theme: true, resetAt: true }, order: { orgId: 'ASC' } });
  }

  find(orgId: number): Promise<DemoOrgRow | null> {
    return this.rows.findOne({ select: { orgId: true, theme: true, resetAt: true }, where: { orgId } });
  }

  /** Opens an organisation for visitors; each reset restores its current state. */
  async open(orgId: number, theme: string, at: Date, tx: Tx): Promise<void> {
    await tx.query(
      `INSERT INTO demo_org (org_id, theme, reset_at, seed) SELECT o.id, $2, $3, to_jsonb(o) FROM org o WHERE o.id = $1`,
      [orgId, theme, at],
    );
  }

  /** The demos that visitors may view, oldest first. */
  listPublic(): Promise<PublicDemo[]> {
    return this.rows.query(
      `SELECT o.id, d.theme, o.name, o.timezone,
              (SELECT count(*)::integer FROM metric m WHERE m.org_id = o.id AND m.removed_at IS NULL) AS "metricsCount"
         FROM demo_org d JOIN org o ON o.id = d.org_id AND o.deleted_at IS NULL ORDER BY o.id`,
    );
  }

  /** Start of the newest simulated anomaly among the events, Unix seconds; null if there is none. */
  async newestLabel(orgId: number): Promise<number | null> {
    const rows: { at: number | null }[] = await this.rows.query(
      `SELECT extract(epoch FROM max(happened_at))::float8 AS at FROM org_event
        WHERE org_id = $1 AND type = 'custom' AND ref_kind = 'demo_trouble'`,
      [orgId],
    );
    return rows[0]?.at ?? null;
  }

  async insertVisitor(orgId: number, name: string, at: Date, tx: Tx): Promise<number> {
    const rows: { id: number }[] = await tx.query(
      `INSERT INTO user_account (org_id, name, demo, state, created_at) VALUES ($1, $2, true, 'active', $3) RETURNING id`,
      [orgId, name, at],
    );
    return rows[0]!.id;
  }

  async noteConsent(orgId: number, userId: number, consent: { email: string | null; at: Date }, tx: Tx): Promise<void> {
    await tx.query('INSERT INTO demo_visitor (user_id, org_id, email, consented_at) VALUES ($1, $2, $3, $4)', [
      userId,
      orgId,
      consent.email,
      consent.at,
    ]);
  }

  async countUsers(orgId: number, tx: Tx): Promise<number> {
    const rows: { count: number }[] = await tx.query(
      'SELECT count(*)::integer AS count FROM user_account WHERE org_id = $1',
      [orgId],
    );
    return rows[0]!.count;
  }

  /** Deletes visitors that came before a time, with their sessions and tours. Returns their number. */
  async deleteVisitors(orgId: number, before: Date, tx?: Tx): Promise<number> {
    const [, count]: [unknown[], number] = await (tx ?? this.rows.manager).query(
      'DELETE FROM user_account WHERE org_id = $1 AND demo AND created_at < $2',
      [orgId, before],
    );
    return count;
  }

  /** Metrics that the demo itself does not send. */
  async foreignMetrics(orgId: number, names: readonly string[]): Promise<number[]> {
    const rows: { id: number }[] = await this.rows.query(
      'SELECT id FROM metric WHERE org_id = $1 AND name <> ALL($2::text[])',
      [orgId, names],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Restores settings from the seed, and deletes objects that people created. Returns the changes, by name and number
   * of rows.
   */
  async restoreSeed(orgId: number, tx: Tx): Promise<Record<string, number>> {
    const changed: Record<string, number> = {};
    const note = (what: string, [, count]: [unknown[], number]): void => {
      if (count > 0) changed[what] = count;
    };
    note('settings', await this.restoreSettings(orgId, tx));
    for (const table of CLEARED_TABLES) {
      note(table, await tx.query(`DELETE FROM "${table}" WHERE org_id = $1 ${STRANGE_ROWS[table] ?? ''}`, [orgId]));
    }
    // Missing watchers are created again.
    await tx.query('DELETE FROM watcher_start WHERE org_id = $1', [orgId]);
    note(
      'progress',
      await tx.query(`DELETE FROM progress WHERE org_id = $1 AND type NOT IN ('onboarding', 'tour')`, [orgId]),
    );
    note('users', await tx.query('DELETE FROM user_account WHERE org_id = $1 AND NOT demo', [orgId]));
    return changed;
  }

  async noteReset(orgId: number, at: Date, tx: Tx): Promise<void> {
    await tx.getRepository(DemoOrgEntity).update({ orgId }, { resetAt: at });
  }

  /** Columns that are newer than the seed are not changed. */
  private async restoreSettings(orgId: number, tx: Tx): Promise<[unknown[], number]> {
    const columns: { name: string }[] = await tx.query(
      `SELECT quote_ident(c.column_name) AS name FROM information_schema.columns c
         JOIN demo_org d ON d.org_id = $1 AND d.seed ? c.column_name::text
        WHERE c.table_schema = current_schema() AND c.table_name = 'org' AND c.column_name <> ALL($2::text[])`,
      [orgId, KEPT_COLUMNS],
    );
    const names = columns.map(({ name }) => name);
    if (names.length === 0) return [[], 0];
    const list = (alias: string): string => names.map((name) => `${alias}.${name}`).join(', ');
    return tx.query(
      `UPDATE org o SET (${names.join(', ')}) = (SELECT ${list('s')})
         FROM demo_org d, LATERAL jsonb_populate_record(NULL::org, d.seed) AS s
        WHERE o.id = $1 AND d.org_id = $1 AND ROW(${list('o')}) IS DISTINCT FROM ROW(${list('s')})`,
      [orgId],
    );
  }
}
