import { parseLimits } from '../batch/limits.js';
import { composeRemoteWrite } from './compose-remote-write.js';
import { parseRemoteWrite } from './parse-remote-write.js';

const NOW = 1_760_000_000;

describe('composeRemoteWrite', () => {
  it('writes names, labels, times and values that the parser reads back', () => {
    const bytes = composeRemoteWrite([
      {
        labels: [
          ['zone', 'north "1" ä'],
          ['__name__', 'cpu'],
          ['host', 'a'],
        ],
        value: -0.125,
        milliseconds: NOW * 1000,
      },
      { labels: [['__name__', 'load']], value: 1e300, milliseconds: (NOW - 60) * 1000 },
    ]);
    const { batch } = parseRemoteWrite(bytes, parseLimits(NOW));
    expect(batch.series.map(({ name }) => name)).toEqual(['cpu{host="a",zone="north \\"1\\" ä"}', 'load']);
    expect([...batch.timestamps.subarray(0, batch.count)]).toEqual([NOW, NOW - 60]);
    expect([...batch.values.subarray(0, batch.count)]).toEqual([-0.125, 1e300]);
  });

  it('writes the bytes of the specification', () => {
    const bytes = composeRemoteWrite([{ labels: [['__name__', 'up']], value: 1, milliseconds: 300 }]);
    const label = '0a 08 5f 5f 6e 61 6d 65 5f 5f 12 02 75 70';
    const sample = '09 00 00 00 00 00 00 f0 3f 10 ac 02';
    const wanted = `0a 1e 0a 0e ${label} 12 0c ${sample}`;
    expect(Buffer.from(bytes).toString('hex')).toBe(wanted.replaceAll(' ', ''));
  });

  it('returns an empty body without samples', () => {
    expect(composeRemoteWrite([])).toHaveLength(0);
  });
});
