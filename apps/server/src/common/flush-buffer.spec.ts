import { FlushBuffer } from './flush-buffer.js';

type Options = ConstructorParameters<typeof FlushBuffer<string, number>>[0];

function aBuffer(options: Partial<Options> = {}) {
  const written: [string, number][][] = [];
  const failures: unknown[] = [];
  let failing = 0;
  let gate: Promise<void> = Promise.resolve();
  const buffer = new FlushBuffer<string, number>({
    write: async (batch) => {
      await gate;
      if (failing > 0) {
        failing--;
        throw new Error('the database is away');
      }
      written.push([...batch]);
    },
    onFailure: (error) => failures.push(error),
    ...options,
  });
  return {
    buffer,
    written,
    failures,
    failNext: (times: number) => (failing = times),
    /** Holds back writes until the returned function is called. */
    hold: (): (() => void) => {
      let release = (): void => undefined;
      gate = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('FlushBuffer', () => {
  it('writes added entries automatically, each key once', async () => {
    const { buffer, written } = aBuffer({ afterMs: 1 });
    buffer.add('a', 1);
    buffer.add('b', 2);
    buffer.add('a', 3);
    await until(() => written.length > 0);
    expect(written).toEqual([
      [
        ['a', 3],
        ['b', 2],
      ],
    ]);
    expect(buffer.size).toBe(0);
  });

  it('writes in batches, one at a time', async () => {
    const { buffer, written, hold } = aBuffer({ batch: 2 });
    const release = hold();
    for (const key of ['a', 'b', 'c']) buffer.add(key, 1);
    const first = buffer.flush();
    buffer.add('d', 1);
    const second = buffer.flush();
    expect(buffer.size).toBe(4);
    release();
    await Promise.all([first, second]);
    expect(written.map((batch) => batch.map(([key]) => key))).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('keeps entries after a failed write, merged with later ones', async () => {
    const { buffer, written, failNext } = aBuffer({ merge: (present, added) => present + added });
    buffer.add('a', 1);
    buffer.add('b', 1);
    failNext(1);
    const failing = buffer.flush();
    buffer.add('c', 5);
    buffer.add('a', 5);
    await expect(failing).rejects.toThrow('away');
    await buffer.flush();
    expect(written).toEqual([
      [
        ['a', 6],
        ['b', 1],
        ['c', 5],
      ],
    ]);
  });

  it('retries automatically, and reports each failure', async () => {
    const { buffer, written, failures, failNext } = aBuffer({ afterMs: 1 });
    failNext(2);
    buffer.add('a', 1);
    await until(() => written.length > 0);
    expect(failures).toHaveLength(2);
  });

  it('rejects further keys when it is full', () => {
    const { buffer } = aBuffer({ max: 1 });
    expect(buffer.add('a', 1)).toBe(true);
    expect(buffer.add('b', 1)).toBe(false);
    expect(buffer.add('a', 2)).toBe(true);
    expect([buffer.isFull, buffer.get('a'), buffer.get('b')]).toEqual([true, 2, undefined]);
  });

  it('writes the remaining entries on close, and reports a failed write', async () => {
    const { buffer, written, failures, failNext } = aBuffer({ afterMs: 3_600_000 });
    buffer.add('a', 1);
    failNext(1);
    await buffer.close();
    expect(failures).toHaveLength(1);
    await buffer.close();
    expect(written).toEqual([[['a', 1]]]);
  });
});
