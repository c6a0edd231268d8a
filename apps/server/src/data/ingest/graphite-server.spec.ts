import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type INestApplication, Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { PointLogFullError } from '#libs/point-log';
import { createEdgeApp, FIXED_NOW, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { BodyBudgetService } from './body-budget.service.js';
import { GraphiteServerService } from './graphite-server.service.js';
import { GraphiteStoreService } from './graphite-store.service.js';
import { GraphiteConfig } from './graphite.config.js';
import { readTokenRanges, tokenOfAddress } from './graphite-tokens.js';
import { RefusalEventsService } from './refusal-events.service.js';

const NOW = FIXED_NOW;
const LOCAL = TOKENS.ingest;

describe('the Graphite listener', () => {
  let fakes: FakeIngest;
  let app: INestApplication | undefined;
  let config: GraphiteConfig;
  let sockets: Socket[];
  const warnings = jest.fn();

  beforeEach(() => {
    fakes = new FakeIngest();
    config = new GraphiteConfig();
    sockets = [];
    warnings.mockClear();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(warnings);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    sockets.forEach((socket) => socket.destroy());
    await app?.close();
    app = undefined;
  });

  /** Starts the listener. Lines from this machine need no token. */
  async function start(options: Partial<GraphiteConfig> = {}, { defaultToken = true } = {}): Promise<void> {
    Object.assign(config, options);
    // The tokens of the fake directory are shorter than real ones, so the ranges are set directly.
    const { ranges } = readTokenRanges(`127.0.0.0/8=pl_${'x'.repeat(43)}`);
    const tokenRanges = defaultToken ? ranges.map((range) => ({ ...range, token: LOCAL })) : [];
    const { module, ...rest } = fakes.module;
    const own = [
      { provide: GraphiteConfig, useValue: Object.defineProperty(config, 'tokenRanges', { get: () => tokenRanges }) },
      GraphiteStoreService,
      GraphiteServerService,
    ];
    const withGraphite = {
      module,
      providers: [...(rest.providers ?? []), ...own],
      exports: [...(rest.exports ?? []), ...own],
    };
    app = await createEdgeApp({
      controllers: [],
      imports: [withGraphite],
      env: { PLUMBLINE_GRAPHITE_ADDRESS: '127.0.0.1:0' },
    });
  }

  async function sender(): Promise<Socket> {
    const socket = connect(app!.get(GraphiteServerService).port!, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  const points = () =>
    fakes.log.appended.flatMap(({ batch }) =>
      Array.from(batch.ids, (id, row) => {
        const [name] = [...fakes.registry.ids].find(([, known]) => known === id)!;
        return `${name} ${String(batch.values[row])} ${String(Math.floor(batch.timestamps[row]! - NOW))}`;
      }),
    );

  async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resume) => setTimeout(resume, 5));
  }

  async function counted(name: string, reason: string): Promise<number> {
    const { values } = await app!.get(MetricsRegistry).prometheus.getSingleMetric(name)!.get();
    return values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
  }

  it('stores lines that arrive in any chunks, with the token of the address', async () => {
    await start();
    const socket = await sender();
    const text = `web-1.cpu 1.5 ${String(NOW - 60)}\r\ndisk.free;host=a 7 -1\n`;
    for (const char of text) socket.write(char);
    await eventually(() => points().length === 2);
    expect(points()).toEqual(['web-1.cpu 1.5 -60', 'disk.free{host="a"} 7 0']);
    expect(fakes.registry.sources).toEqual(new Set(['graphite']));
  });

  it('accepts the token as the first part of the name', async () => {
    await start({}, { defaultToken: false });
    (await sender()).write(`${TOKENS.ingest}.a.b 1\n`);
    await eventually(() => points().length === 1);
    expect(points()).toEqual(['a.b 1 0']);
  });

  it.each([
    ['no token', 'a.b 1\n'],
    ['an unknown token', 'pl_unknown.a 1\n'],
    ['an expired token', `${TOKENS.expired}.a 1\n`],
    ['a token that may not send', `${TOKENS.read}.a 1\n`],
  ])('counts unauthenticated lines and closes the connection: %s', async (_, text) => {
    await start({}, { defaultToken: false });
    const socket = await sender();
    socket.write(text);
    await once(socket, 'close');
    expect(await counted('plumbline_graphite_turned_away_lines_total', 'not_authenticated')).toBe(1);
    expect(fakes.log.appended).toEqual([]);
    expect(JSON.stringify(warnings.mock.calls)).not.toContain('pl_');
  });

  it('keeps a connection open if some of its tokens are valid', async () => {
    await start();
    const socket = await sender();
    socket.write('a 1\npl_unknown.b 2\n');
    await eventually(() => points().length === 1);
    socket.write('c 3\n');
    await eventually(() => points().length === 2);
  });

  it('records refused points as events of the organisation', async () => {
    await start();
    (await sender()).write(`a 1 ${String(NOW - 90_000)}\nb nan\nover.c 1\nok 1\n`);
    await eventually(() => points().length === 1);
    app!.get(RefusalEventsService).flush();
    const recorded = fakes.events.map(({ orgId, type, details }) => [orgId, type, details]);
    const event = (reason: string, metric: string, ...problems: string[]) => [
      7,
      'ingest_refused',
      { reason, points: 1, protocols: ['graphite'], metrics: [metric], problems },
    ];
    expect(recorded).toEqual([
      event(
        'too_old',
        'a',
        expect.stringContaining(`the timestamp must be at most 86400 s ago, got ${String(NOW - 90_000)}`),
      ),
      event('not_finite', 'b', 'the value must be a finite number, got "nan"'),
      event('over_quota', 'over.c'),
    ]);
  });

  it('stops reading while the queue is full, and then continues without losing points', async () => {
    await start();
    const full = new PointLogFullError(1);
    fakes.log.failure = full;
    const append = jest.spyOn(fakes.log, 'append');
    const socket = await sender();
    const lines = 60_000;
    const text = Array.from(
      { length: lines },
      (_, i) => `some.longer.name.of.a.metric.${String(i % 10)} ${String(i)} ${String(NOW)}\n`,
    ).join('');
    socket.write(text);
    await eventually(() => append.mock.calls.length > 0);
    let held = -1;
    await eventually(async () => {
      const before = held;
      await new Promise((resume) => setTimeout(resume, 50));
      held = app!.get(BodyBudgetService).heldBytes;
      return held === before;
    });
    // Only the waiting batch and the next one were read; the rest waits in the network.
    expect(held).toBeLessThan(2 * text.length);
    fakes.log.failure = undefined;
    await eventually(() => fakes.log.points === lines);
    await eventually(() => app!.get(BodyBudgetService).heldBytes === 0);
    const values = fakes.log.appended.flatMap(({ batch }) => [...batch.values]);
    expect(values).toEqual(Array.from({ length: lines }, (_, i) => i));
  });

  it('attributes held memory to the address, and to the organisation after a valid token', async () => {
    await start();
    const holders = () => app!.get(BodyBudgetService).holders.map(([party]) => party);
    let resume = (): void => undefined;
    const wait = () => (fakes.log.hold = new Promise((resolve) => (resume = resolve)));
    void wait();
    const socket = await sender();
    socket.write('a 1\n');
    await eventually(() => fakes.log.waiting === 1);
    expect(holders()).toEqual([expect.stringMatching(/^address:127\.0\.0\.1/)]);
    resume();
    await eventually(() => points().length === 1 && app!.get(BodyBudgetService).heldBytes === 0);
    void wait();
    socket.write('a 2\n');
    await eventually(() => fakes.log.waiting === 1);
    expect(holders()).toEqual(['org:7']);
    resume();
  });

  it('stores pending points after the storage was unreachable', async () => {
    await start();
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    fakes.log.failure = away;
    const append = jest.spyOn(fakes.log, 'append');
    (await sender()).write('a 1\n');
    await eventually(() => append.mock.calls.length > 0);
    fakes.log.failure = undefined;
    await eventually(() => points().length === 1);
  }, 20_000);

  it('closes connections over the limit per address, and accepts new ones after others close', async () => {
    await start({ connectionsPerAddress: 2 });
    const kept = [await sender(), await sender()];
    const third = await sender();
    await once(third, 'close');
    expect(await counted('plumbline_graphite_refused_connections_total', 'too_many_of_address')).toBe(1);
    kept[0]!.destroy();
    await eventually(async () => {
      const next = await sender();
      next.write('a 1\n');
      await Promise.race([once(next, 'close'), eventually(() => fakes.log.points > 0)]);
      return fakes.log.points > 0;
    });
  });

  it('closes idle connections', async () => {
    await start({ idleSeconds: 0.05 });
    const socket = await sender();
    socket.write('half a li');
    await once(socket, 'close');
    expect(fakes.log.appended).toEqual([]);
  });

  it('ignores an incomplete last line when a connection ends', async () => {
    await start();
    const socket = await sender();
    socket.end(`a 1\nb 12`);
    await once(socket, 'close');
    await eventually(() => points().length > 0);
    expect(points()).toEqual(['a 1 0']);
  });

  it('stores the lines it has read before the process stops', async () => {
    await start();
    const socket = await sender();
    socket.write('a 1\nb 2\n');
    await eventually(() => app!.get(BodyBudgetService).heldBytes > 0);
    await app!.close();
    app = undefined;
    expect(fakes.log.points).toBe(2);
  });

  it('stops in time when points cannot be stored', async () => {
    await start();
    fakes.log.failure = new PointLogFullError(1);
    (await sender()).write('a 1\n');
    const append = jest.spyOn(fakes.log, 'append');
    await eventually(() => append.mock.calls.length > 0);
    await app!.close();
    app = undefined;
    expect(JSON.stringify(warnings.mock.calls)).toContain('1 lines were not stored');
  }, 20_000);
});

describe('tokens by address', () => {
  const token = (letter: string) => `pl_${letter.repeat(43)}`;
  const { ranges, wrong } = readTokenRanges(
    `10.0.0.7=${token('a')}, 10.0.0.0/8=${token('b')},2001:db8::/32=${token('c')},,`,
  );

  it.each([
    ['10.0.0.7', token('a')],
    ['::ffff:10.0.0.7', token('a')],
    ['10.200.0.1', token('b')],
    ['2001:db8::1', token('c')],
    ['192.168.0.1', undefined],
    ['2001:db9::1', undefined],
  ])('are looked up in the first range that contains %s', (address, expected) => {
    expect(wrong).toEqual([]);
    expect(tokenOfAddress(ranges, address)).toBe(expected);
  });

  it('are reported by position and not by text if they are invalid', () => {
    const bad = [`10.0.0.0/33=${token('a')}`, 'x', `10.0.0.0/8=short`, `name=${token('a')}`, `1.2.3.4=${token('a')}`];
    expect(readTokenRanges(bad.join(',')).wrong).toEqual([1, 2, 3, 4]);
    const config = Object.assign(new GraphiteConfig(), { tokens: bad[0] });
    expect(config.problems()).toEqual([
      { env: 'PLUMBLINE_GRAPHITE_TOKENS', message: expect.stringMatching(/^entry 1 /) },
    ]);
  });
});
