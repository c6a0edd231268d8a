import { getEventListeners } from 'node:events';
import { backOffMilliseconds, doneOrAborted, pause, retry } from './retry.js';

describe('persist', () => {
  const never = new AbortController().signal;

  it('tries until it works', async () => {
    const reported: number[] = [];
    let tries = 0;
    const work = async () => {
      if (++tries < 3) throw new Error('not yet');
      return 'done';
    };
    expect(await retry(work, never, (_, failures) => reported.push(failures))).toBe('done');
    expect(reported).toEqual([1, 2]);
  });

  it('gives up when the error is hopeless', async () => {
    const work = () => Promise.reject(new Error('no use'));
    const reported: number[] = [];
    const isPermanent = (_: unknown, failures: number) => failures === 2;
    await expect(retry(work, never, (_, failures) => reported.push(failures), isPermanent)).rejects.toThrow('no use');
    expect(reported).toEqual([1]);
  });

  it('gives up at the first failure after the signal', async () => {
    const stop = new AbortController();
    const work = () => Promise.reject(new Error('away'));
    await expect(retry(work, stop.signal, () => stop.abort())).rejects.toThrow('away');
  });
});

describe('pauses', () => {
  it('end at once when the signal is raised, before or meanwhile', async () => {
    const stop = new AbortController();
    const long = pause(3_600_000, stop.signal);
    stop.abort();
    await long;
    await pause(3_600_000, stop.signal);
  });

  it('end with the work or with the signal, and leave nothing behind on the signal', async () => {
    const stop = new AbortController();
    await doneOrAborted(Promise.resolve(), stop.signal);
    await doneOrAborted(Promise.reject(new Error('away')), stop.signal);
    await pause(0, stop.signal);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    const endless = doneOrAborted(new Promise(() => undefined), stop.signal);
    stop.abort();
    await endless;
    await doneOrAborted(new Promise(() => undefined), stop.signal);
  });

  it('between tries rise, up to a limit', () => {
    const medians = [0, 1, 5, 100].map((attempt) => {
      const tries = Array.from({ length: 99 }, () => backOffMilliseconds(attempt)).sort((a, b) => a - b);
      return tries[49]!;
    });
    expect(medians[0]).toBeLessThan(medians[1]!);
    expect(medians[1]).toBeLessThan(medians[2]!);
    expect(Math.max(...medians)).toBeLessThanOrEqual(6250);
  });
});
