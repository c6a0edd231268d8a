import { join } from 'node:path';
import pg from 'pg';
import { readUrl } from '#libs/embedded-postgres';
import { pause } from '../support/ledger.js';
import { Mailbox } from '../support/mailbox.js';
import { until } from '../support/product.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { IS_SHORT, type ProductUnderFault, startUnderFault } from './faults.js';

/** Rounds with a kill at a random moment, each in its own part of the time from a change to its message. */
const RANDOM_ROUNDS = IS_SHORT ? 3 : 12;
const LONGEST_LIFE_MS = 7000;
/** Anomalies of one host, which form one incident. */
const ANOMALIES = 12;
const THRESHOLD_WATCHERS = 4;
const ADMIN = 'admin@example.org';

/**
 * Where planning is halted and then killed: a statement of its transaction waits for the lock on a table. `after` is
 * the state of the plan before the test locks the table.
 */
interface Stop {
  table: 'alert_change' | 'alert_delivery' | 'alert_plan';
  statement: string;
  after: 'nothing' | 'held';
}

const STOPS: readonly Stop[] = [
  // Planning has decided to hold the message for a moment, and deletes the changes.
  { table: 'alert_change', statement: 'DELETE FROM alert_change%', after: 'nothing' },
  // Planning queues the message.
  { table: 'alert_delivery', statement: 'INSERT INTO alert_delivery%', after: 'held' },
  // The message is queued, and planning records that.
  { table: 'alert_plan', statement: 'INSERT INTO alert_plan%', after: 'held' },
];

type Moment = { at: 'random'; pauseMs: number } | ({ at: 'stop' } & Stop);

const MOMENTS: readonly Moment[] = [
  ...Array.from({ length: RANDOM_ROUNDS }, (_, round): Moment => {
    return { at: 'random', pauseMs: ((round + Math.random()) / RANDOM_ROUNDS) * LONGEST_LIFE_MS };
  }),
  ...Array.from({ length: IS_SHORT ? 1 : 3 }, () =>
    STOPS.map((stop): Moment => {
      return { at: 'stop', ...stop };
    }),
  ).flat(),
];

/** Counts of pending work and of planned subjects. */
interface Progress {
  changes: number;
  held: number;
  unhandled: number;
  unsent: number;
  anomalies: number;
  breaches: number;
}

interface Delivery {
  kind: 'anomaly' | 'threshold';
  /** False for an alert about a single anomaly. */
  counts: boolean;
  phase: string;
  channel: string;
  watcher: string;
  messageId: string;
  state: string;
  tries: number;
  metrics: string[];
}

describe('a product that is killed while it plans alerts', () => {
  let subject: ProductUnderFault;
  let mailbox: Mailbox;
  let receiver: WebhookReceiver;
  let token: string;
  let admin: { id: number; orgId: number };

  beforeAll(async () => {
    mailbox = await Mailbox.start();
    receiver = await new WebhookReceiver('', () => Date.now() / 1000).listen();
    subject = await startUnderFault({ ...mailbox.env, LOGIN_CODE: 'off', PLUMBLINE_OUTGOING: 'any' });
    token = await subject.product.createToken(['read', 'write', 'admin']);
    [admin] = (await query(`SELECT id, org_id AS "orgId" FROM user_account WHERE email = $1`, [ADMIN])) as [
      typeof admin,
    ];
    const connected = await call<{ properties: { secret: string } }>('PUT', '/integration/webhook/orgproperties', {
      url: `${receiver.url}/hook`,
    });
    receiver.secret = connected.properties.secret;
  }, 120_000);

  afterAll(async () => {
    await subject.dispose();
    await mailbox.close();
    await receiver.close();
  }, 120_000);

  async function connect(): Promise<pg.Client> {
    const url = await readUrl(join(subject.product.dataFolder, 'postgres'));
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async function query<T>(sql: string, values: unknown[] = []): Promise<T[]> {
    const client = await connect();
    try {
      return (await client.query(sql, values)).rows as T[];
    } finally {
      await client.end();
    }
  }

  const call = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T> =>
    subject.product.call<T>(method, path, token, body);

  /** Sends a point of one metric that exceeds all thresholds. */
  async function goBeyond(round: number, now: number): Promise<void> {
    const answer = await fetch(`${subject.product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': subject.ingestToken },
      body: JSON.stringify({ metrics: [{ metric: beyond(round), timestamps: [now], values: [99] }] }),
    });
    if (!answer.ok) throw new Error(`The point was answered ${String(answer.status)}`);
  }

  /** Inserts anomalies of all metrics of one host, and exceeds all thresholds with another metric. */
  async function goWrong(round: number): Promise<void> {
    const now = Math.floor(Date.now() / 1000);
    await goBeyond(round, now);
    await query(
      `INSERT INTO anomaly (org_id, metric_id, start_timestamp, peak_timestamp, score, severity, kind, state)
       SELECT org_id, id, $2, $2, 0.8, 60, 'spike', 'open' FROM metric WHERE org_id = $1 AND labels ->> 'host' = $3`,
      [admin.orgId, now, `host-${String(round)}`],
    );
  }

  const plansOf = (round: number, phase: string): Promise<object[]> =>
    query(
      `SELECT p.id FROM alert_plan p JOIN anomaly a ON a.id = p.lead_anomaly_id JOIN metric m ON m.id = a.metric_id
       WHERE p.org_id = $1 AND m.labels ->> 'host' = $2 AND p.phase = $3`,
      [admin.orgId, `host-${String(round)}`, phase],
    );

  /** Resolves when planning waits at the statement, or has already finished. */
  async function stopAt({ table, statement, after }: Stop, round: number): Promise<pg.Client> {
    if (after === 'held') {
      await until('a message to be held', async () => {
        return (await plansOf(round, 'held')).length + (await plansOf(round, 'told')).length > 0 ? true : undefined;
      });
    }
    const lock = await connect();
    await lock.query('BEGIN');
    await lock.query(`LOCK TABLE ${table} IN SHARE MODE`);
    await until(`planning to wait for ${table}`, async () => {
      const waiting = await query(`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`, [
        statement,
      ]);
      return waiting.length > 0 || (await plansOf(round, 'told')).length > 0 ? true : undefined;
    });
    return lock;
  }

  async function kill(moment: Moment, round: number): Promise<void> {
    const { product } = subject;
    if (moment.at === 'random') {
      await pause(moment.pauseMs);
      await product.stop('SIGKILL');
    } else {
      const lock = await stopAt(moment, round);
      await product.stop('SIGKILL');
      await lock.end();
    }
    await product.restart();
  }

  async function progress(): Promise<Progress> {
    const [row] = await query<Progress>(
      `SELECT (SELECT count(*)::integer FROM alert_change) AS changes,
              (SELECT count(*)::integer FROM alert_plan WHERE phase = 'held') AS held,
              (SELECT count(*)::integer FROM threshold_change WHERE handled_at IS NULL) AS unhandled,
              (SELECT count(*)::integer FROM alert_delivery WHERE state <> 'sent') AS unsent,
              (SELECT count(*)::integer FROM alert_subject s JOIN alert a ON a.id = s.alert_id, unnest(s.anomaly_ids) AS t
               WHERE a.kind = 'anomaly' AND a.counts AND t <> 0) AS anomalies,
              (SELECT count(*)::integer FROM alert_subject s JOIN alert a ON a.id = s.alert_id, unnest(s.metric_ids) AS t
               WHERE a.kind = 'threshold') AS breaches`,
    );
    return row!;
  }

  const deliveries = (): Promise<Delivery[]> =>
    query(
      `SELECT a.kind, a.counts, d.phase, d.channel, a.watcher_name AS watcher, d.message_id::text AS "messageId", d.state, d.tries,
              ARRAY(SELECT m.name FROM metric m WHERE m.id = ANY(s.metric_ids) ORDER BY m.name) AS metrics
       FROM alert_delivery d JOIN alert a ON a.id = d.alert_id JOIN alert_subject s ON s.alert_id = a.id
       WHERE a.kind IN ('anomaly', 'threshold') ORDER BY d.id`,
    );

  it(`plans each anomaly and each breach once, and sends every message, over ${String(MOMENTS.length)} kills`, async () => {
    const rounds = MOMENTS.map((_, index) => index + 1);
    const { watchers } = await until('the watcher of a new organisation', async () => {
      const list = await call<{ watchers: { id: number }[] }>('GET', '/watchers/list');
      return list.watchers.length > 0 ? list : undefined;
    });
    for (const { id } of watchers) await call('DELETE', `/watcher/${String(id)}`);
    const channels = { alert: true, email_users: [admin.id], webhook: true };
    for (const name of watchersOf('T', THRESHOLD_WATCHERS)) {
      await call('POST', '/watcher/threshold', { ...channels, name, chips: ['beyond'], algorithm: 'above', value: 10 });
    }
    // Two watchers have the same destinations: only the first of them sends.
    for (const name of watchersOf('A', 2)) await call('POST', '/watcher', { ...channels, name, chips: ['storm'] });
    // Metrics of different hosts have neither name nor label in common.
    await query(
      `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source)
       SELECT $1, n, sha256(n::bytea), n, jsonb_build_object('host', 'host-' || h), 'gauge', 'last', 'http'
       FROM generate_series(1, $2::integer) AS h, generate_series(1, $3::integer) AS i,
            LATERAL (SELECT 'storm-' || h || '-' || i AS n) AS names`,
      [admin.orgId, rounds.length, ANOMALIES],
    );

    // Round 0 waits until the watchers have taken effect.
    await until(
      'the watchers to take effect',
      async () => {
        await goBeyond(0, Math.floor(Date.now() / 1000));
        const breaches = await query('SELECT id FROM threshold_change');
        return breaches.length === THRESHOLD_WATCHERS ? true : undefined;
      },
      { everyMs: 1000 },
    );
    for (const [index, moment] of MOMENTS.entries()) {
      // The lock follows the insert, because it would also block every writer of anomalies.
      await goWrong(index + 1);
      await kill(moment, index + 1);
    }
    await until(
      'everything to be planned and sent',
      async () => {
        const now = await progress();
        const isIdle = now.changes + now.held + now.unhandled + now.unsent === 0;
        const isWhole =
          now.anomalies >= rounds.length * ANOMALIES && now.breaches >= (rounds.length + 1) * THRESHOLD_WATCHERS;
        if (isIdle && isWhole) return true;
        throw new Error(JSON.stringify(now));
      },
      { timeoutMs: 240_000, everyMs: 500 },
    );

    const all = await deliveries();
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['sent']));
    // Ends of alerts have their own messages.
    const opened = all.filter(({ phase, counts }) => phase === 'opened' && counts);
    const storms = rounds
      .flatMap((round) =>
        Array.from({ length: ANOMALIES }, (_, index) => `storm-${String(round)}-${String(index + 1)}`),
      )
      .sort();
    for (const channel of ['email', 'webhook']) {
      const notified = (kind: Delivery['kind']): string[] =>
        opened
          .filter((one) => one.kind === kind && one.channel === channel)
          .flatMap(({ watcher, metrics }) => metrics.map((metric) => `${watcher} ${metric}`))
          .sort();
      expect([channel, notified('anomaly')]).toEqual([channel, storms.map((metric) => `A1 ${metric}`)]);
      const breaches = watchersOf('T', THRESHOLD_WATCHERS).flatMap((name) =>
        [0, ...rounds].map((round) => `${name} ${beyond(round)}`),
      );
      expect([channel, notified('threshold')]).toEqual([channel, breaches.sort()]);
      // The anomalies of a host are one incident, which is one message.
      const incidents = opened.filter((one) => one.kind === 'anomaly' && one.channel === channel);
      expect(incidents).toHaveLength(rounds.length);
    }
    // Webhooks also get a message for each single anomaly.
    const single = all.filter(({ phase, counts }) => phase === 'opened' && !counts);
    expect(single.flatMap(({ metrics }) => metrics).sort()).toEqual(storms);
    const plans = await query<{ plans: number }>(
      `SELECT count(*)::integer AS plans FROM anomaly a
       JOIN alert_plan p ON p.org_id = a.org_id AND p.breaches IS NULL AND a.metric_id = ANY(p.told_metrics)
       JOIN watcher w ON w.id = p.watcher_id AND w.name = 'A1' GROUP BY a.id`,
    );
    expect(plans).toEqual(Array.from({ length: rounds.length * ANOMALIES }, () => ({ plans: 1 })));

    // Each message has arrived. Mails may arrive twice after a counted try, webhooks only with the same id.
    const times = new Map<string, number>();
    const count = (id: string): unknown => times.set(id, (times.get(id) ?? 0) + 1);
    for (const { messageId } of mailbox.all) count(idOf(messageId));
    const posted = receiver.received.map(({ headers }) => headers['webhook-id'] as string);
    posted.forEach(count);
    const wrong = all.filter(({ messageId, tries }) => {
      const arrived = times.get(messageId) ?? 0;
      return arrived < 1 || arrived > tries;
    });
    expect(wrong).toEqual([]);
    const rows = await query<{ id: string }>('SELECT message_id::text AS id FROM alert_delivery');
    const known = new Set(rows.map(({ id }) => id));
    expect(posted.filter((id) => !known.has(id))).toEqual([]);
  }, 900_000);
});

/** The UUID in a Message-ID. */
const idOf = (messageId: string | undefined): string =>
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(messageId ?? '')?.[0] ?? '';
const beyond = (round: number): string => `beyond-${String(round)}`;
const watchersOf = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1)}`);
