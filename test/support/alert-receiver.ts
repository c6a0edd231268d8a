import { type Received, type Reply, StandIn } from './stand-in.js';

const MEMBERS = ['labels', 'annotations', 'startsAt', 'endsAt', 'generatorURL'];

/** Stands in for `POST /api/v2/alerts` of an Alertmanager that requires authorization. */
export class AlertReceiver extends StandIn {
  readonly alerts: { labels: Record<string, string>; startsAt: string; endsAt: string }[][] = [];

  constructor(private readonly authorization: string) {
    super();
  }

  protected judge({ method, path, headers, body }: Received): Reply {
    if (headers.authorization !== this.authorization) return { status: 401 };
    if (method !== 'POST' || path !== '/api/v2/alerts') return { status: 404 };
    const alerts = JSON.parse(body) as { labels: Record<string, string>; startsAt: string; endsAt: string }[];
    const isSound = alerts.every(
      (alert) =>
        Object.keys(alert).every((name) => MEMBERS.includes(name)) &&
        Object.entries(alert.labels).every(([name, value]) => /^[A-Za-z_]\w*$/.test(name) && value !== '') &&
        Date.parse(alert.startsAt) <= Date.parse(alert.endsAt),
    );
    if (!isSound || alerts.length === 0) return { status: 400, body: 'bad alert' };
    this.alerts.push(alerts);
    return { status: 200 };
  }
}
