import { Controller, Get, type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp, SESSIONS } from '../../../../../test/support/edge-app.js';
import { Public } from '../auth/access.decorators.js';
import { ServerConfig } from '../config/server.config.js';
import { productVersion } from '../product-version.js';
import { accessLogLevel, redactedUrl } from './access-log.js';
import { createLog, NestLog } from './log.js';
import { ManagementServer } from './management-server.js';
import { ReadinessRegistry } from './readiness.js';

@Controller('box')
class BoxController {
  @Get(':box_id')
  @Public()
  show() {
    return {};
  }
}

describe('the management port', () => {
  let app: INestApplication;
  let base: string;
  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [BoxController], env: { MANAGEMENT_PORT: '0' } });
    base = `http://127.0.0.1:${String(await app.get(ManagementServer).listen())}`;
  });
  afterAll(() => app.close());

  it('answers /livez with 200 while the process runs', async () => {
    expect((await fetch(`${base}/livez`)).status).toBe(200);
  });

  it('answers /readyz with 200 and the checks, and with 503 when a check fails', async () => {
    const readiness = app.get(ReadinessRegistry);
    let isBroken = false;
    readiness.register('kettle', () => {
      if (isBroken) throw new Error('the kettle is cold');
    });
    const ready = await fetch(`${base}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      [{ name: 'kettle', ok: true, message: null, duration_seconds: expect.any(Number) }],
    ]);
    isBroken = true;
    const notReady = await fetch(`${base}/readyz`);
    expect([notReady.status, await notReady.json()]).toEqual([
      503,
      [{ name: 'kettle', ok: false, message: 'the kettle is cold', duration_seconds: expect.any(Number) }],
    ]);
    isBroken = false;
  });

  it('rejects two checks of the same name', () => {
    const readiness = new ReadinessRegistry();
    readiness.register('a', () => undefined);
    expect(() => readiness.register('a', () => undefined)).toThrow('registered twice');
  });

  it('is not ready once the shutdown has started', async () => {
    const readiness = new ReadinessRegistry();
    readiness.startShutdown();
    expect(await readiness.run()).toMatchObject([{ name: 'shutdown', ok: false }]);
  });

  it('reports the version, which differs between processes during an upgrade', async () => {
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toContain(`plumbline_build_info{version="${productVersion()}"} 1`);
  });

  it('labels request metrics with the route pattern, not the path', async () => {
    await request(app.getHttpServer()).get('/api/box/17');
    await request(app.getHttpServer()).get('/api/nowhere/17');
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toContain(
      'plumbline_http_request_duration_seconds_count{method="GET",route="/api/box/:box_id",code="200"} 1',
    );
    expect(text).toContain(
      'plumbline_http_request_duration_seconds_count{method="other",route="unknown",code="404"} 1',
    );
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).not.toContain('nowhere');
  });

  it.each([
    ['GET', '/api/box/1', 404],
    ['POST', '/livez', 405],
  ])('answers %s %s with %d', async (method, path, status) => {
    expect((await fetch(base + path, { method })).status).toBe(status);
  });
});

describe('redactedUrl', () => {
  const f = (url: string, want: string) => {
    it(url, () => {
      expect(redactedUrl(url)).toBe(want);
    });
  };
  f('/api/metrics?chips=cpu&limit=5', '/api/metrics?chips=cpu&limit=5');
  f(
    '/api/login/sso/callback?code=abc&state=xyz&iss=https%3A%2F%2Fid.example.org',
    '/api/login/sso/callback?code=[hidden]&state=[hidden]&iss=https%3A%2F%2Fid.example.org',
  );
  f('/api/login/sso/callback?st%61te=xyz', '/api/login/sso/callback?st%61te=[hidden]');
  f('/verify?email=a%40b&token=abc', '/verify?email=[hidden]&token=[hidden]');
  f('/api/org/users?state=invited', '/api/org/users?state=invited');
  f('/api/ping?session_id=abc', '/api/ping?session_id=[hidden]');
  f('/api/ping?session%5Fid=abc', '/api/ping?session%5Fid=[hidden]');
  f('/api/image/metric?org_id=1&sig=abc&exp=5', '/api/image/metric?org_id=1&sig=[hidden]&exp=5');
  f('/write?db=x&p=pl_secret', '/write?db=x&p=[hidden]');
  f('/api/login/validateclient?code=123456&token=t', '/api/login/validateclient?code=[hidden]&token=[hidden]');
  f('/api/org/tokens/pl_abc-DEF_123', '/api/org/tokens/[hidden]');
  f(`/api/x?q=${'a'.repeat(32)}`, '/api/x?q=[hidden]');
  f('/api/org/tokens/%70l_abc-DEF_123', '/api/org/tokens/[hidden]');
  f('/api/x?q=pl%5Fabc&r=1', '/api/x?q=[hidden]&r=1');
  f('/api/x?pl_abc', '/api/x?[hidden]');
  f(`/api/x?q=%61${'a'.repeat(31)}`, '/api/x?q=[hidden]');
  f('/api/metric/a%zz?q=%ff%', '/api/metric/a%zz?q=%ff%');
  f('/api/benchmark/q7Vz-_0aBcDeFgHiJkLm9w', '/api/benchmark/[hidden]');
  // One id in forty has no digit.
  f(
    '/benchmark/qVz-_aBcDeFgHiJkLmwXyz?with=aBcDeFgHiJkLmwXyzqVz-_&sort=recall',
    '/benchmark/[hidden]?with=[hidden]&sort=recall',
  );
  f('/benchmark?tz=utc', '/benchmark?tz=utc');
  f('/api/x?id=q7Vz-_0aBcDeFgHiJkLm9w', '/api/x?id=[hidden]');
  f(`/reset-password/aB1${'x'.repeat(40)}`, '/reset-password/[hidden]');
  f('/api/metric/a_name_of_22_letters_x', '/api/metric/a_name_of_22_letters_x');
  f('/api/x?', '/api/x?');
  f('/api/x?a&b=1=2', '/api/x?a&b=1=2');
});

describe('the log level of a request', () => {
  it.each([
    ['/api/metrics', 200, 'info'],
    ['/api/metrics', 404, 'info'],
    ['/api/metrics', 503, 'warn'],
    ['/ingest/metrics', 204, 'debug'],
    ['/api/v1/write', 204, 'debug'],
    ['/ingest/metrics', 401, 'info'],
    ['/ingest/metrics', 503, 'warn'],
  ])('to %s answered with %i is %s', (path, statusCode, level) => {
    expect(accessLogLevel({ path }, { statusCode })).toBe(level);
  });
});

describe('the log', () => {
  const linesOf = (format: 'json' | 'text', write: (log: ReturnType<typeof createLog>) => void) => {
    const lines: string[] = [];
    const config = Object.assign(new ServerConfig(), { nodeName: 'node-1', logFormat: format });
    write(createLog(config, { write: (line) => void lines.push(line) }));
    return lines;
  };

  it('writes one JSON object per line', () => {
    const [line] = linesOf('json', (log) => log.info({ org: 7 }, 'hello'));
    expect(JSON.parse(line ?? '')).toEqual({
      level: 'info',
      time: expect.any(String),
      node: 'node-1',
      org: 7,
      msg: 'hello',
    });
  });

  it('hides secrets in a line', () => {
    const [line] = linesOf('json', (log) => log.info({ password: 'x1', body: { token: 'x2' }, session_id: 'x3' }, 'm'));
    expect(line).not.toMatch(/x[123]/);
  });

  it('is readable on a terminal', () => {
    const lines = linesOf('text', (log) => new NestLog(log).log('started', 'Server'));
    expect(lines).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d INFO {2}\[Server\] started\n$/)]);
  });

  it('shows the stack of an error', () => {
    const lines = linesOf('text', (log) => new NestLog(log).error('failed', 'Error: x\n  at y', 'Server'));
    expect(lines).toEqual([expect.stringMatching(/ERROR \[Server\] failed\nError: x\n {2}at y\n$/)]);
  });

  it('appends the message of an error', () => {
    const lines = linesOf('text', (log) => {
      const nestLog = new NestLog(log);
      nestLog.warn('points wait', new Error('database away'), 'Demo');
      nestLog.warn(new Error('gone'), 'Demo');
      nestLog.error('stopped', Object.assign(new Error('no room'), { stack: 'Error: no room\n  at z' }), 'Demo');
    });
    expect(lines).toEqual([
      expect.stringMatching(/WARN {2}\[Demo\] points wait: database away\n$/),
      expect.stringMatching(/WARN {2}\[Demo\] gone\n$/),
      expect.stringMatching(/ERROR \[Demo\] stopped: no room\nError: no room\n {2}at z\n$/),
    ]);
  });

  it('omits errors of the Nest start, which the starting program reports', () => {
    const lines = linesOf('text', (log) => {
      const nestLog = new NestLog(log);
      nestLog.error(new Error('no such folder'), 'ExceptionHandler');
      nestLog.error(new Error('listen EADDRINUSE'), 'NestApplication');
      nestLog.log('Nest application successfully started', 'NestApplication');
    });
    expect(lines).toEqual([]);
  });

  it('writes one line per request, with the request id and without secrets', async () => {
    const written: string[] = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (line: string) => written.push(line) > 0;
    try {
      const app = await createEdgeApp({
        controllers: [BoxController],
        env: { PLUMBLINE_LOG_LEVEL: 'info', PLUMBLINE_LOG_FORMAT: 'json' },
      });
      await request(app.getHttpServer())
        .get(`/api/box/1?session_id=${SESSIONS.user}`)
        .set('X-Request-Id', 'req-1')
        .set('Cookie', `session_id=${SESSIONS.admin}`);
      await app.close();
    } finally {
      process.stdout.write = write;
    }
    const lines = written.filter((line) => line.includes('req-1'));
    expect(lines.map((line) => line.split('"request_id"').length - 1)).toEqual([1]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        node: 'node-1',
        context: 'HTTP',
        request_id: 'req-1',
        org: 7,
        user: 1,
        responseTime: expect.any(Number),
        msg: 'GET /api/box/1?session_id=[hidden] 200',
      },
    ]);
  });
});
