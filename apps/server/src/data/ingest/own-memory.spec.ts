import { gather, hasOwnMemory } from './own-memory.js';

/** Counts rounds of the event loop during the work. */
async function roundsUntil(work: Promise<unknown>): Promise<number> {
  let rounds = 0;
  const count = () => {
    rounds++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work;
  clearImmediate(next);
  return rounds;
}

describe('buffers with their own memory', () => {
  it('contain the gathered pieces in order', async () => {
    const pieces = [Buffer.alloc(700_000, 'a'), Buffer.from('b'), Buffer.alloc(0), Buffer.alloc(300_000, 'c')];
    const gathered = await gather(pieces);
    expect(gathered.equals(Buffer.concat(pieces))).toBe(true);
    expect(hasOwnMemory(gathered)).toBe(true);
  });

  it('are copied in pieces, with rounds of the event loop in between', async () => {
    expect(await roundsUntil(gather([Buffer.alloc(4 * 2 ** 20)]))).toBeGreaterThanOrEqual(14);
    expect(
      await roundsUntil(gather(Array.from({ length: 256 }, () => Buffer.alloc(16 * 1024)))),
    ).toBeGreaterThanOrEqual(14);
  });

  it('differ from slices and from small buffers of a shared pool', () => {
    expect(hasOwnMemory(Buffer.alloc(1_000_000).subarray(1))).toBe(false);
    expect(hasOwnMemory(Buffer.from('small'))).toBe(false);
  });
});
