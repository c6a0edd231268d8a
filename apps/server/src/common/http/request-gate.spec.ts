import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { type Request, type Response } from 'express';
import { FairQueueRegistry } from '../fair-share/fair-queue-registry.js';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { contextOf, currentRequest, type EdgeRequest } from './request-context.js';
import { RequestGate } from './request-gate.js';

const ORGS = { busy: 1, quiet: 2 };

/** A gate, and the requests that passed it. */
class GatedRequests {
  readonly started: string[] = [];
  readonly errors: unknown[] = [];
  readonly responses: Response[] = [];
  private readonly pass = new RequestGate(new FairQueueRegistry(new MetricsRegistry())).middleware();

  send(
    token: string | undefined,
    address = '192.0.2.1',
    { hasCome = false } = {},
  ): { request: EdgeRequest; response: Response } {
    const message = new IncomingMessage(new Socket());
    message.complete = hasCome;
    if (token !== undefined) message.headers['x-auth-token'] = token;
    const request = Object.assign(message, {
      path: '/api/metrics',
      get: (name: string) => message.headers[name],
    }) as unknown as Request as EdgeRequest;
    const response = new ServerResponse(message) as Response;
    const context = contextOf(request);
    context.address = address;
    this.pass(request, response, (error?: unknown) => {
      expect(currentRequest.getStore()).toBe(context);
      if (error === undefined) {
        this.started.push(token ?? address);
        this.responses.push(response);
      } else this.errors.push(error);
    });
    return { request, response };
  }

  /** Sends a request whose token is found to belong to the organisation. */
  async learn(token: keyof typeof ORGS): Promise<void> {
    const { request, response } = this.send(token);
    await nextRound();
    contextOf(request).orgId = ORGS[token];
    response.emit('close');
    this.started.length = 0;
  }
}

/** A gate through which requests of two organisations have passed recently. */
async function besideOthers(): Promise<GatedRequests> {
  const gated = new GatedRequests();
  await gated.learn('busy');
  await gated.learn('quiet');
  gated.send('quiet');
  await rounds(3);
  gated.started.length = 0;
  return gated;
}

/** Runs the work with a clock that moves only by `pass`. */
async function withClock(work: (pass: (milliseconds: number) => Promise<void>) => Promise<void>): Promise<void> {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    await work(async (milliseconds) => {
      await rounds(15);
      await jest.advanceTimersByTimeAsync(milliseconds);
      await rounds(15);
    });
  } finally {
    jest.useRealTimers();
  }
}

async function rounds(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await nextRound();
}

describe('RequestGate', () => {
  it('lets organisations begin in turn, however many requests one has open', async () => {
    const gated = new GatedRequests();
    await gated.learn('busy');
    await gated.learn('quiet');
    for (let i = 0; i < 50; i++) gated.send('busy');
    for (let i = 0; i < 3; i++) gated.send('quiet');
    await rounds(10);
    const lastOfQuiet = gated.started.lastIndexOf('quiet');
    expect(gated.started.slice(0, lastOfQuiet).filter((token) => token === 'busy').length).toBeLessThanOrEqual(4);
    expect(gated.started.filter((token) => token === 'quiet')).toHaveLength(3);
    for (let answered = 0; answered < 50; answered++) {
      for (const response of gated.responses.splice(0)) response.emit('close');
      await rounds(3);
    }
    expect(gated.started).toHaveLength(53);
  });

  it('passes requests of a crowd one at a time while another organisation is active', () =>
    withClock(async (pass) => {
      const gated = await besideOthers();
      for (let i = 0; i < 7; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(3000);
      // The requests that arrived together have begun; later ones are held.
      const before = gated.started.length;
      for (let i = 0; i < 5; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(300);
      expect(gated.started).toHaveLength(before + 1);
      gated.responses.at(-1)!.emit('close');
      await pass(0);
      expect(gated.started).toHaveLength(before + 2);
    }));

  it('does not delay a crowd while no other organisation is active', () =>
    withClock(async (pass) => {
      const gated = new GatedRequests();
      await gated.learn('busy');
      gated.send(undefined, '198.51.100.1');
      for (let i = 0; i < 20; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(5000);
      for (let i = 0; i < 20; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(0);
      expect(gated.started.filter((token) => token === 'busy')).toHaveLength(40);
    }));

  it('does not count slow senders and streams as a crowd', () =>
    withClock(async (pass) => {
      const gated = await besideOthers();
      for (let i = 0; i < 6; i++) gated.send('busy', undefined, { hasCome: false });
      await pass(9000);
      for (let i = 0; i < 6; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(0);
      for (const response of gated.responses.slice(-6)) response.flushHeaders();
      await pass(9000);
      gated.send('quiet');
      gated.started.length = 0;
      for (let i = 0; i < 5; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(0);
      expect(gated.started.filter((token) => token === 'busy')).toHaveLength(5);
    }));

  it('delays a lasting crowd beyond its share of the time', () =>
    withClock(async (pass) => {
      const gated = await besideOthers();
      for (let i = 0; i < 7; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(3000);
      gated.started.length = 0;
      for (let i = 0; i < 3; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(900);
      gated.responses.at(-1)!.emit('close');
      await pass(300);
      expect(gated.started).toHaveLength(1);
      // The smallest share is an eighth: the 400 ms beyond the credit take eight times as long.
      await pass(8 * 400);
      expect(gated.started).toHaveLength(2);
    }));

  it('leaves half of the time to others beside a crowd with short requests', () =>
    withClock(async (pass) => {
      const gated = await besideOthers();
      // Requests of the other organisation take as long as those of the crowd.
      await pass(100);
      gated.responses.at(-1)!.emit('close');
      for (let i = 0; i < 300; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(3000);
      for (const response of gated.responses.splice(0)) response.emit('close');
      await pass(6000);
      gated.send('quiet');
      gated.started.length = 0;
      const running: [response: Response, until: number][] = [];
      for (let time = 0; time < 20_000; time += 20) {
        if (time % 5000 === 0) gated.send('quiet');
        await pass(20);
        for (const response of gated.responses.splice(0)) running.push([response, time + 100]);
        while ((running[0]?.[1] ?? Infinity) <= time) running.shift()![0].emit('close');
      }
      const ofBusy = gated.started.filter((token) => token === 'busy').length;
      expect(ofBusy).toBeGreaterThan(60);
      expect(ofBusy).toBeLessThan(120);
    }));

  it('passes another organisation while many crowds wait', () =>
    withClock(async (pass) => {
      const gated = await besideOthers();
      for (let part = 0; part < 3; part++) {
        for (let i = 0; i < 10; i++) {
          for (let party = 1; party <= 40; party++) {
            gated.send(undefined, `192.0.2.${String(party)}`, { hasCome: true });
          }
        }
        await pass(1000);
      }
      gated.started.length = 0;
      gated.send('quiet');
      await pass(0);
      expect(gated.started).toContain('quiet');
    }));

  it('does not wait longer than a second for a body of a crowd', () =>
    withClock(async (pass) => {
      const gated = await besideOthers();
      for (let i = 0; i < 7; i++) gated.send('busy', undefined, { hasCome: true });
      await pass(3000);
      gated.started.length = 0;
      for (let i = 0; i < 2; i++) gated.send('busy');
      await pass(900);
      expect(gated.started).toHaveLength(1);
      // The gate waits a second, and then for the 500 ms of it that are beyond the credit.
      await pass(100 + 8 * 500);
      expect(gated.started).toHaveLength(2);
    }));

  it('counts requests with unknown tokens by address', async () => {
    const gated = new GatedRequests();
    for (let i = 0; i < 50; i++) gated.send(`made up ${String(i)}`);
    gated.send(undefined, '192.0.2.2');
    await rounds(3);
    expect(gated.started).toContain('192.0.2.2');
    expect(gated.started.length).toBeLessThan(10);
  });

  it('drops a request whose client has disconnected', async () => {
    const gated = new GatedRequests();
    await gated.learn('busy');
    const sent = Array.from({ length: 20 }, () => gated.send('busy'));
    for (const { request } of sent.slice(1)) contextOf(request).recordGone();
    await rounds(50);
    expect(gated.started).toHaveLength(1);
    expect(gated.errors).toHaveLength(19);
  });

  it('rejects requests beyond the queue of one organisation, and passes another', async () => {
    const gated = new GatedRequests();
    await gated.learn('busy');
    await gated.learn('quiet');
    for (let i = 0; i < 1200; i++) gated.send('busy');
    gated.send('quiet');
    await rounds(3);
    expect(gated.errors).toHaveLength(199);
    expect(gated.errors[0]).toMatchObject({ code: 'overloaded' });
    expect(gated.started).toContain('quiet');
  });
});
