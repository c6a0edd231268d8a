import { jest } from '@jest/globals';
import { CliError } from '../cli-error.js';
import { IngestClient, type IngestTarget } from './ingest-client.js';

const BATCH = { timestamps: [60, 120], values: [1, 2] };
const SIGNAL = new AbortController().signal;

function aClient(answers: (Response | Error)[], target: Partial<IngestTarget> = {}) {
  const requests: { url: string; init: RequestInit }[] = [];
  const waits: number[] = [];
  const notes: string[] = [];
  const fetchAnswer = jest.fn<typeof fetch>((url, init) => {
    requests.push({ url: (url as URL).href, init: init! });
    const answer = answers.shift() ?? new Response('', { status: 503 });
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  const client = new IngestClient(
    {
      url: 'http://localhost:3000',
      token: 'pl_x',
      metric: 'a.b',
      type: 'gauge',
      unit: undefined,
      backfill: true,
      ...target,
    },
    {
      fetch: fetchAnswer,
      sleep: (milliseconds) => {
        waits.push(milliseconds / 1000);
        return Promise.resolve();
      },
      onWait: (reason) => notes.push(reason),
    },
  );
  return { client, requests, waits, notes };
}

const noContent = (): Response => new Response(null, { status: 204 });
const busy = (status: number, retryAfter?: string): Response =>
  new Response('{}', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });

describe('IngestClient', () => {
  it('sends columns with the token in a header', async () => {
    const { client, requests } = aClient([noContent()], { url: 'https://example.org/base', unit: 'ms' });
    await expect(client.send(BATCH, SIGNAL)).resolves.toEqual({ accepted: 2, refused: 0, reasons: {} });
    expect(requests[0]!.url).toBe('https://example.org/base/ingest/metrics');
    expect(requests[0]!.init.headers).toMatchObject({ 'x-auth-token': 'pl_x' });
    expect(JSON.parse(requests[0]!.init.body as string)).toEqual({
      backfill: true,
      metrics: [{ metric: 'a.b', type: 'gauge', unit: 'ms', timestamps: [60, 120], values: [1, 2] }],
    });
  });

  it('retries after the time given in Retry-After', async () => {
    const { client, requests, waits, notes } = aClient([busy(429, '7'), busy(503, '2'), noContent()]);
    await client.send(BATCH, SIGNAL);
    expect(waits).toEqual([7, 2]);
    expect(requests).toHaveLength(3);
    expect(notes).toEqual(['the server accepts no more points at the moment', 'the server is not ready']);
  });

  it('doubles the wait when the server gives no time or is unreachable', async () => {
    const away = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    });
    const { client, waits, notes } = aClient([busy(503), away, busy(503), noContent()]);
    await client.send(BATCH, SIGNAL);
    expect(waits).toEqual([1, 2, 4]);
    expect(notes[1]).toBe(
      'http://localhost:3000 cannot be reached (ECONNREFUSED); start the server there, or name its address with --url',
    );
  });

  it('gives up within five minutes', async () => {
    const { client, waits } = aClient([]);
    await expect(client.send(BATCH, SIGNAL)).rejects.toThrow(/the server is not ready; gave up after \d+ tries/);
    expect(waits.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(300);
  });

  it('counts refused points by reason', async () => {
    const report = {
      code: 207,
      submitted: 2,
      accepted: 1,
      refused: 1,
      metrics: [{ metric: 'a.b', reasons: { too_old: 1 } }],
    };
    const { client } = aClient([Response.json(report, { status: 207 })]);
    await expect(client.send(BATCH, SIGNAL)).resolves.toEqual({ accepted: 1, refused: 1, reasons: { too_old: 1 } });
  });

  it('reports the message of the server and does not retry a 401', async () => {
    const body = { code: 401, error: 'not_authenticated', message: 'The token is not known.', details: [] };
    const { client, requests } = aClient([Response.json(body, { status: 401 })]);
    const error: unknown = await client.send(BATCH, SIGNAL).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CliError);
    expect((error as CliError).message).toBe(
      'the server refused the points: The token is not known. (not_authenticated)',
    );
    expect(requests).toHaveLength(1);
  });

  it('lists the details of an error', async () => {
    const details = [{ field: 'metrics[0].unit', code: 'too_long', message: 'must have at most 50 characters' }];
    const { client } = aClient([
      Response.json({ error: 'validation_failed', message: 'The request has 1 problem.', details }, { status: 400 }),
    ]);
    await expect(client.send(BATCH, SIGNAL)).rejects.toThrow('\n  metrics[0].unit: must have at most 50 characters');
  });

  it('reports the HTTP status for an answer that is not from the server', async () => {
    const { client } = aClient([new Response('<html>', { status: 502, statusText: 'Bad Gateway' })]);
    await expect(client.send(BATCH, SIGNAL)).rejects.toThrow('the server refused the points: 502 Bad Gateway (502)');
  });
});
