import { ClientGoneError, FairQueue } from '../fair-share/fair-queue.js';
import { OverloadedError } from '../http/http.errors.js';
import { currentRequest, RequestContext } from '../http/request-context.js';
import { FairThread } from './fair-thread.js';

const ENTRY = new URL('./not-compiled.js', import.meta.url);

describe('FairThread', () => {
  let asked: string[];
  let thread: FairThread<string, string>;
  beforeEach(() => {
    asked = [];
    const handle = (request: string) => {
      asked.push(request);
      return `answer to ${request}`;
    };
    const turns = new FairQueue({ slots: 1, waiting: 20, waitingPerParty: 4 });
    thread = new FairThread({ entry: ENTRY, name: 'test', handler: () => ({ handle }) }, turns);
  });
  afterEach(() => thread.close());

  const ask = (party: string, request: string) => thread.inTurn(party, () => thread.call(request));
  const many = (count: number) => Array.from({ length: count }, (_, i) => `busy ${String(i)}`);

  it('alternates between parties, however much one party requests', async () => {
    const busy = many(5).map((request) => ask('busy', request));
    expect(await ask('quiet', 'quiet')).toBe('answer to quiet');
    expect(asked.indexOf('quiet')).toBeLessThanOrEqual(2);
    await Promise.all(busy);
    expect(asked).toHaveLength(6);
  });

  it('runs all calls of a turn before the next turn', async () => {
    const twice = async (party: string) => {
      await thread.inTurn(party, async () => {
        await thread.call(`${party} first`);
        await thread.call(`${party} second`);
      });
    };
    await Promise.all([twice('one'), twice('other')]);
    expect(asked).toEqual(['one first', 'one second', 'other first', 'other second']);
  });

  it('rejects work beyond the queue of a party, but not background work', async () => {
    const settled = await Promise.allSettled(many(6).map((request) => ask('busy', request)));
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([
      { status: 'rejected', reason: expect.any(OverloadedError) as unknown },
    ]);
    const askBehind = (request: string) => thread.inTurnOrBackground('busy', () => thread.call(request));
    await Promise.all(many(30).map(askBehind));
    const ofRequest = currentRequest.run(new RequestContext(undefined), () =>
      Promise.allSettled(many(6).map(askBehind)),
    );
    expect((await ofRequest).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  it('drops queued work of a disconnected client', async () => {
    const client = new RequestContext(undefined);
    const first = ask('busy', 'first');
    const second = currentRequest.run(client, () => ask('busy', 'second'));
    client.recordGone();
    await expect(second).rejects.toThrow(ClientGoneError);
    await first;
    expect(asked).toEqual(['first']);
  });

  it('with two threads keeps one free for other parties while a party runs long work', async () => {
    let end = (): void => undefined;
    const handle = (request: string) =>
      request === 'long' ? new Promise<string>((resolve) => (end = () => resolve('long'))) : request;
    const turns = new FairQueue({ slots: 2, slotsPerParty: 1, waiting: 20, waitingPerParty: 4 });
    const both = new FairThread({ entry: ENTRY, name: 'test', handler: () => ({ handle }) }, turns, 2);
    const long = both.inTurn('busy', () => both.call('long'));
    const behind = both.inTurn('busy', () => both.call('behind'));
    for (const request of ['one', 'two']) {
      expect(await both.inTurn('quiet', () => both.call(request))).toBe(request);
    }
    end();
    expect(await Promise.all([long, behind])).toEqual(['long', 'behind']);
    await both.close();
  });
});
