import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { type Request, type Response } from 'express';
import { until } from '../../../../../test/support/product.js';
import { TurnsRegistry } from '../fair-share/turns-registry.js';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { contextOf, currentRequest, type EdgeRequest } from './request-context.js';
import { RequestGate } from './request-gate.js';

const ORGS = { busy: 1, quiet: 2 };

/** A gate, and which requests began behind it. */
class GatedRequests {
  readonly begun: string[] = [];
  readonly errors: unknown[] = [];
  readonly responses: Response[] = [];
  private readonly pass = new RequestGate(new TurnsRegistry(new MetricsRegistry())).middleware();

  send(token: string | undefined, address = '192.0.2.1'): { request: EdgeRequest; response: Response } {
    const message = new IncomingMessage(new Socket());
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
        this.begun.push(token ?? address);
        this.responses.push(response);
      } else this.errors.push(error);
    });
    return { request, response };
  }

  /** The token turns out to be one of the organisation. */
  async learn(token: keyof typeof ORGS): Promise<void> {
    const { request, response } = this.send(token);
    await nextRound();
    contextOf(request).orgId = ORGS[token];
    response.emit('close');
    this.begun.length = 0;
  }
}

async function rounds(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await nextRound();
}

describe('the gate of requests', () => {
  it('lets organisations begin in turn, whatever one of them has open', async () => {
    const gated = new GatedRequests();
    await gated.learn('busy');
    await gated.learn('quiet');
    for (let i = 0; i < 50; i++) gated.send('busy');
    for (let i = 0; i < 3; i++) gated.send('quiet');
    await rounds(10);
    const lastOfQuiet = gated.begun.lastIndexOf('quiet');
    expect(gated.begun.slice(0, lastOfQuiet).filter((token) => token === 'busy').length).toBeLessThanOrEqual(4);
    expect(gated.begun.filter((token) => token === 'quiet')).toHaveLength(3);
    for (let answered = 0; answered < 50; answered++) {
      for (const response of gated.responses.splice(0)) response.emit('close');
      await rounds(3);
    }
    expect(gated.begun).toHaveLength(53);
  });

  it('lets a crowd begin one after the other beside others, and at once where there are none', async () => {
    const gated = new GatedRequests();
    await gated.learn('busy');
    await gated.learn('quiet');
    gated.send('quiet');
    await nextRound();
    for (let i = 0; i < 20; i++) gated.send('busy');
    await rounds(20);
    // What began before the crowd was there is under way; the last eight wait for nothing.
    expect(gated.begun.filter((token) => token === 'busy').length).toBeLessThanOrEqual(2);
    const alone = new GatedRequests();
    for (let i = 0; i < 20; i++) alone.send(undefined);
    await rounds(40);
    expect(alone.begun).toHaveLength(20);
  });

  it('waits for no answer that does not come', async () => {
    const gated = new GatedRequests();
    await gated.learn('busy');
    gated.send('quiet');
    await nextRound();
    for (let i = 0; i < 12; i++) gated.send('busy');
    await until('all to begin', async () => (gated.begun.length === 13 ? true : undefined));
  });

  it('counts who is not known by the address, whatever they show', async () => {
    const gated = new GatedRequests();
    for (let i = 0; i < 50; i++) gated.send(`made up ${String(i)}`);
    gated.send(undefined, '192.0.2.2');
    await rounds(3);
    expect(gated.begun).toContain('192.0.2.2');
    expect(gated.begun.length).toBeLessThan(10);
  });

  it('leaves out a request whose client has gone', async () => {
    const gated = new GatedRequests();
    await gated.learn('busy');
    const sent = Array.from({ length: 20 }, () => gated.send('busy'));
    for (const { request } of sent.slice(1)) contextOf(request).recordGone();
    await rounds(50);
    expect(gated.begun).toHaveLength(1);
    expect(gated.errors).toHaveLength(19);
  });

  it('refuses what waits beyond the bound of an organisation, and nothing of another', async () => {
    const gated = new GatedRequests();
    await gated.learn('busy');
    await gated.learn('quiet');
    for (let i = 0; i < 1200; i++) gated.send('busy');
    gated.send('quiet');
    await rounds(3);
    expect(gated.errors).toHaveLength(199);
    expect(gated.errors[0]).toMatchObject({ code: 'overloaded' });
    expect(gated.begun).toContain('quiet');
  });
});
