import { jsonOf, type Received, type Reply, StandIn } from './stand-in.js';

/** A span in OTLP's JSON form. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  status: number;
  resource: Record<string, unknown>;
}

export const SPAN_KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;
const NANOSECONDS = /^\d{19}$/;
const SCALARS = ['stringValue', 'boolValue', 'intValue', 'doubleValue'];
const SPAN_MEMBERS = new Set([
  ...['traceId', 'spanId', 'traceState', 'parentSpanId', 'flags', 'name', 'kind', 'startTimeUnixNano'],
  ...['endTimeUnixNano', 'attributes', 'droppedAttributesCount', 'events', 'droppedEventsCount', 'links'],
  ...['droppedLinksCount', 'status'],
]);

class Malformed extends Error {}

/** An OpenTelemetry collector for traces by OTLP over HTTP in JSON. It accepts only what the protocol allows. */
export class TraceCollector extends StandIn {
  readonly spans: CollectedSpan[] = [];
  /** Reasons for rejected bodies. */
  readonly faults: string[] = [];

  /** @param headers that each request must carry */
  constructor(private readonly headers: Readonly<Record<string, string>> = {}) {
    super();
  }

  named(name: string): CollectedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  protected judge(request: Received): Reply {
    try {
      this.spans.push(...spansOf(this.bodyOf(request)));
      return { status: 200, body: '{}' };
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.faults.push(error.message);
      return { status: 400, body: error.message };
    }
  }

  private bodyOf(request: Received): unknown {
    const { method, path, headers } = request;
    check(method === 'POST' && path === '/v1/traces', `${method} ${path}`);
    check(headers['content-type'] === 'application/json', `content type ${String(headers['content-type'])}`);
    for (const [name, value] of Object.entries(this.headers)) check(headers[name] === value, `header ${name}`);
    const body = jsonOf(request);
    check(body !== undefined, 'no JSON');
    return body;
  }
}

function spansOf(body: unknown): CollectedSpan[] {
  return arrayOf(body, 'resourceSpans').flatMap((part) => {
    const resource = attributesOf(member(part, 'resource'));
    return arrayOf(part, 'scopeSpans').flatMap((scope) => {
      check(typeof member(member(scope, 'scope'), 'name') === 'string', 'a scope without a name');
      return arrayOf(scope, 'spans').map((span) => spanOf(span, resource));
    });
  });
}

function spanOf(span: unknown, resource: Record<string, unknown>): CollectedSpan {
  const members = objectOf(span, 'a span');
  for (const name of Object.keys(members)) check(SPAN_MEMBERS.has(name), `a span with ${name}`);
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano: start, endTimeUnixNano: end } = members;
  check(typeof traceId === 'string' && TRACE_ID.test(traceId), `traceId ${String(traceId)}`);
  check(typeof spanId === 'string' && SPAN_ID.test(spanId), `spanId ${String(spanId)}`);
  const hasParent = parentSpanId !== undefined && parentSpanId !== '';
  check(!hasParent || (typeof parentSpanId === 'string' && SPAN_ID.test(parentSpanId)), 'parentSpanId');
  check(typeof name === 'string' && name !== '', 'a span without a name');
  check(Number.isInteger(kind) && (kind as number) >= 1 && (kind as number) <= 5, `kind ${String(kind)}`);
  for (const time of [start, end]) check(typeof time === 'string' && NANOSECONDS.test(time), `time ${String(time)}`);
  check(BigInt(end as string) >= BigInt(start as string), 'a span that ends before it begins');
  const status = objectOf(members.status ?? {}, 'status').code ?? 0;
  check([0, 1, 2].includes(status as number), `status ${JSON.stringify(status)}`);
  const links = (members.links === undefined ? [] : arrayOf(members, 'links')).map((link) => {
    const { traceId: linkedTrace, spanId: linkedSpan } = objectOf(link, 'a link');
    check(typeof linkedTrace === 'string' && TRACE_ID.test(linkedTrace), 'traceId of a link');
    check(typeof linkedSpan === 'string' && SPAN_ID.test(linkedSpan), 'spanId of a link');
    return { traceId: linkedTrace, spanId: linkedSpan };
  });
  return {
    traceId,
    spanId,
    ...(hasParent ? { parentSpanId: parentSpanId } : {}),
    name,
    kind: kind as number,
    attributes: attributesOf(members),
    links,
    status: status as number,
    resource,
  };
}

function attributesOf(owner: unknown): Record<string, unknown> {
  const members = objectOf(owner, 'attributes');
  const pairs = members.attributes === undefined ? [] : arrayOf(members, 'attributes');
  const entries = pairs.map((pair): [string, unknown] => {
    const { key, value } = objectOf(pair, 'an attribute');
    check(typeof key === 'string' && key !== '', 'an attribute without a key');
    const [[type, content] = ['', undefined], ...others] = Object.entries(objectOf(value, 'a value'));
    check(others.length === 0 && (SCALARS.includes(type) || type === 'arrayValue'), `a value of ${type}`);
    return [key, content];
  });
  check(new Set(entries.map(([key]) => key)).size === entries.length, 'an attribute twice');
  return Object.fromEntries(entries);
}

const member = (owner: unknown, name: string): unknown => objectOf(owner, `the owner of ${name}`)[name];

function arrayOf(owner: unknown, name: string): unknown[] {
  const found = member(owner, name);
  check(Array.isArray(found), `${name} is no array`);
  return found;
}

function objectOf(value: unknown, what: string): Record<string, unknown> {
  check(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} is no object`);
  return value as Record<string, unknown>;
}

function check(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new Malformed(what);
}
