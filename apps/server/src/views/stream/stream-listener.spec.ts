import { Writable } from 'node:stream';
import { type KnownCaller } from '../../common/auth/caller.js';
import { StreamListener } from './stream-listener.js';
import { type StreamPage } from './stream-pages.service.js';
import { type EndReason, PAGE_ROWS, type StreamRow } from './stream.types.js';

const CALLER: KnownCaller = {
  kind: 'token',
  org: { id: 7, timezone: 'UTC', onboardingStatusId: 300 },
  permissions: 1,
  tokenRef: 1,
};
const TEXT = `data: ${'x'.repeat(1000)}\n\n`;

/** A response whose writes drain only on request. */
class SlowClient extends Writable {
  taken = '';
  private go: (() => void) | undefined;
  isOpen = false;

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.taken += chunk.toString();
    if (this.isOpen) done();
    else this.go = done;
  }

  open(): void {
    this.isOpen = true;
    this.go?.();
  }
}

function pageAfter(last: number): (id: number) => Promise<StreamPage | null> {
  return async (id) => {
    const count = Math.min(PAGE_ROWS, last - id);
    if (count <= 0) return null;
    const rows = Array.from({ length: count }, (_, i): StreamRow => {
      return { id: id + i + 1, type: 'org.updated', timestamp: 0, subjectId: 7, metricId: null };
    });
    const texts = rows.map(() => TEXT);
    return { rows, textsFor: async () => texts, targets: async () => new Map() };
  };
}

function listen(client: Writable, options: { last: number; timeoutMs: number; pages?: typeof pageAfter }) {
  const { last, timeoutMs, pages = pageAfter } = options;
  const listener = new StreamListener(client, {
    caller: CALLER,
    now: () => 1_760_000_000,
    isWanted: () => true,
    position: 0,
    timeoutMs,
    onFailure: () => undefined,
    pageAfter: pages(last),
  });
  return { listener, run: listener.run() };
}

const endOf = (reason: EndReason): string =>
  `event: end\ndata: {"timestamp":1760000000,"org_id":7,"reason":"${reason}"}\n\n`;

describe('a stream listener', () => {
  it('buffers at most a page for a client that does not read, and drops it', async () => {
    const client = new SlowClient();
    const { run } = listen(client, { last: 10_000, timeoutMs: 30 });
    await run;
    expect(client.writableLength).toBeLessThanOrEqual(PAGE_ROWS * TEXT.length + endOf('too_slow').length);
    client.open();
    await new Promise((resolve) => client.once('close', resolve));
    expect(client.taken.endsWith(endOf('too_slow'))).toBe(true);
  });

  it('sends everything to a client that reads late', async () => {
    const client = new SlowClient();
    const { listener, run } = listen(client, { last: 350, timeoutMs: 60_000 });
    setImmediate(() => client.open());
    while (client.taken.length < 350 * TEXT.length) await new Promise((resolve) => setImmediate(resolve));
    listener.end('server_stopping');
    await run;
    await new Promise((resolve) => client.once('close', resolve));
    expect(client.taken).toBe(TEXT.repeat(350) + endOf('server_stopping'));
  });

  it('continues after failed reads of events', async () => {
    const client = new SlowClient();
    client.open();
    let failures = 2;
    const pages = (last: number) => async (id: number) => {
      if (failures-- > 0) throw new Error('connection refused');
      return pageAfter(last)(id);
    };
    const { listener, run } = listen(client, { last: 3, timeoutMs: 60_000, pages });
    while (client.taken.length < 3 * TEXT.length) await new Promise((resolve) => setTimeout(resolve, 20));
    listener.end('server_stopping');
    await run;
    expect(client.taken.startsWith(TEXT.repeat(3))).toBe(true);
  });
});
