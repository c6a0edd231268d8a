import { OverloadedError } from '../http/http.errors.js';
import { ClientGoneError, FairQueue } from './fair-queue.js';

describe('FairQueue', () => {
  /** Work that ends on demand; `begun` contains the names in the order of their start. */
  function aShop(turns: FairQueue) {
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (name: string, gone?: AbortSignal) =>
      turns.run(
        name[0]!,
        () => {
          started.push(name);
          return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
        },
        gone,
      );
    const settle = () => new Promise((resume) => setImmediate(resume));
    const end = async (name: string) => {
      await settle();
      ends.get(name)!();
      await settle();
    };
    return { started, ask, end, settle };
  }

  const options = { slots: 1, waiting: 100, waitingPerParty: 20 };

  it('alternates between waiting parties, whatever a party has queued before', async () => {
    const { started, ask, end } = aShop(new FairQueue(options));
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void ask(name);
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('keeps a slot free for other parties while only one has work', async () => {
    const turns = new FairQueue({ ...options, slots: 3, slotsPerParty: 2 });
    const { started, ask, end, settle } = aShop(turns);
    for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name);
    await settle();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(started).toHaveLength(3);
    await end('a1');
    expect(started.at(-1)).toBe('a3');
  });

  it('rejects work of a party with a full queue, and all work when the whole queue is full', async () => {
    const turns = new FairQueue({ slots: 1, waiting: 3, waitingPerParty: 2 });
    const { ask, settle } = aShop(turns);
    for (const name of ['a1', 'a2', 'a3']) void ask(name);
    await settle();
    await expect(ask('a4')).rejects.toBeInstanceOf(OverloadedError);
    void ask('b1');
    await expect(ask('c1')).rejects.toBeInstanceOf(OverloadedError);
    expect([turns.waiting, turns.longestQueue]).toEqual([3, 2]);
    expect(turns.counts).toEqual({ started: 1, partyFull: 1, full: 1, gone: 0 });
  });

  it('drops work whose client has disconnected', async () => {
    const turns = new FairQueue(options);
    const { started, ask, end } = aShop(turns);
    const client = new AbortController();
    void ask('a1');
    const dropped = ask('a2', client.signal);
    void ask('a3');
    client.abort();
    await expect(dropped).rejects.toBeInstanceOf(ClientGoneError);
    await expect(ask('a4', client.signal)).rejects.toBeInstanceOf(ClientGoneError);
    await end('a1');
    expect(started).toEqual(['a1', 'a3']);
    expect(turns.waiting).toBe(0);
  });

  it('runs the next work after a failure', async () => {
    const turns = new FairQueue(options);
    const failing = turns.run('a', () => Promise.reject(new Error('broken')));
    const next = turns.run('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
