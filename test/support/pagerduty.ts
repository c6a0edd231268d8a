import { jsonOf, type Received, type Reply, StandIn } from './stand-in.js';

const ACTIONS = ['trigger', 'acknowledge', 'resolve'];
const SEVERITIES = ['critical', 'error', 'warning', 'info'];
const MEMBERS = ['routing_key', 'event_action', 'dedup_key', 'payload', 'client', 'client_url', 'links', 'images'];
const PAYLOAD = ['summary', 'source', 'severity', 'timestamp', 'component', 'group', 'class', 'custom_details'];

export type PagerdutyState = 'triggered' | 'acknowledged' | 'resolved';

/** Stands in for the Events API v2 of PagerDuty: schema, routing key, and the state of incidents by `dedup_key`. */
export class Pagerduty extends StandIn {
  readonly incidents = new Map<string, { state: PagerdutyState; triggers: number; payload: Record<string, unknown> }>();

  constructor(private readonly routingKey: string) {
    super();
  }

  protected judge(request: Received): Reply {
    if (request.method !== 'POST' || request.path !== '/v2/enqueue') return { status: 404 };
    const event = jsonOf(request);
    const errors = event === undefined ? ['body is not JSON'] : problemsOf(event);
    if (event === undefined || errors.length > 0) {
      return { status: 400, body: { status: 'invalid event', message: 'Event object is invalid', errors } };
    }
    // The real service accepts any well-formed key, and drops events of unknown keys.
    if (event.routing_key !== this.routingKey)
      return { status: 400, body: { status: 'invalid key', message: '', errors: [] } };
    const key = event.dedup_key as string;
    this.apply(key, event);
    return { status: 202, body: { status: 'success', message: 'Event processed', dedup_key: key } };
  }

  private apply(key: string, event: Record<string, unknown>): void {
    const known = this.incidents.get(key);
    if (event.event_action === 'trigger') {
      const isOpen = known !== undefined && known.state !== 'resolved';
      const payload = event.payload as Record<string, unknown>;
      this.incidents.set(key, {
        state: isOpen ? known.state : 'triggered',
        triggers: (known?.triggers ?? 0) + 1,
        payload,
      });
    } else if (known !== undefined && known.state !== 'resolved') {
      known.state = event.event_action === 'resolve' ? 'resolved' : 'acknowledged';
    }
  }
}

function problemsOf(event: Record<string, unknown>): string[] {
  const problems: string[] = [];
  const need = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  need(
    Object.keys(event).every((name) => MEMBERS.includes(name)),
    'unknown member',
  );
  need(/^\w{32}$/.test(textOf(event.routing_key)), "'routing_key' is invalid");
  need(ACTIONS.includes(textOf(event.event_action)), "'event_action' is invalid");
  need(textOf(event.dedup_key).length <= 255 && event.dedup_key !== undefined, "'dedup_key' is invalid");
  if (event.event_action !== 'trigger') return problems;
  const payload = (event.payload ?? {}) as Record<string, unknown>;
  need(
    Object.keys(payload).every((name) => PAYLOAD.includes(name)),
    'unknown member of payload',
  );
  const summary = textOf(payload.summary);
  need(summary !== '' && Array.from(summary).length <= 1024, "'payload.summary' is missing or too long");
  need(textOf(payload.source) !== '', "'payload.source' is missing or blank");
  need(SEVERITIES.includes(textOf(payload.severity)), "'payload.severity' is invalid");
  need(payload.timestamp === undefined || !Number.isNaN(Date.parse(textOf(payload.timestamp))), 'timestamp');
  const links = (event.links ?? []) as { href?: unknown }[];
  need(
    links.every(({ href }) => URL.canParse(textOf(href))),
    'links',
  );
  const images = (event.images ?? []) as { src?: unknown }[];
  need(
    images.every(({ src }) => textOf(src).startsWith('https://')),
    'images',
  );
  return problems;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
