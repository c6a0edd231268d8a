import { ActivityBuffer } from './activity-buffer.js';

function aBuffer() {
  const written: [string, number][][] = [];
  let failures = 0;
  const buffer = new ActivityBuffer<string>(async (latest) => {
    if (failures > 0) {
      failures--;
      throw new Error('the database is away');
    }
    written.push([...latest]);
  });
  return { buffer, written, failNext: (times: number) => (failures = times) };
}

describe('ActivityBuffer', () => {
  it('writes each key once, with its latest time', async () => {
    const { buffer, written } = aBuffer();
    buffer.record('a', 5);
    buffer.record('a', 9);
    buffer.record('a', 7);
    buffer.record('b', 1);
    await buffer.flush();
    expect(written).toEqual([
      [
        ['a', 9],
        ['b', 1],
      ],
    ]);
  });

  it('writes nothing when nothing was recorded', async () => {
    const { buffer, written } = aBuffer();
    buffer.record('a', 5);
    await buffer.flush();
    await buffer.flush();
    expect(written).toHaveLength(1);
  });

  it('keeps entries after a failed write, with the latest time of each', async () => {
    const { buffer, written, failNext } = aBuffer();
    buffer.record('a', 5);
    buffer.record('b', 5);
    failNext(1);
    const failing = buffer.flush();
    buffer.record('a', 8);
    await expect(failing).rejects.toThrow('away');
    await buffer.flush();
    expect(new Map(written[0])).toEqual(
      new Map([
        ['a', 8],
        ['b', 5],
      ]),
    );
  });

  it('writes the remaining entries when it stops', async () => {
    const { buffer, written } = aBuffer();
    buffer.start(3600, () => undefined);
    buffer.record('a', 5);
    await buffer.stop();
    expect(written).toEqual([[['a', 5]]]);
  });
});
