import { getEventListeners } from 'node:events';
import { backOffMilliseconds, doneOrAborted, pause, retry } from './retry.js';

describe('retry', () => {
  const never = new AbortController().signal;

  it('retries until the work succeeds', async () => {
    const reported: number[] = [];
    let tries = 0;
    const work = async () => {
      if (++tries < 3) throw new Error('not yet');
      return 'done';
    };
    expect(await retry(work, never, (_, failures) => reported.push(failures))).toBe('done');
    expect(reported).toEqual([1, 2]);
  });

  it('stops retrying when the error is hopeless', async () => {
    const work = () => Promise.reject(new Error('no use'));
    const reported: number[] = [];
    const isPermanent = (_: unknown, failures: number) => failures === 2;
    await expect(retry(work, never, (_, failures) => reported.push(failures), isPermanent)).rejects.toThrow('no use');
    expect(reported).toEqual([1]);
  });

  it('stops at the first failure after the signal was aborted', async () => {
    const stop = new AbortController();
    const work = () => Promise.reject(new Error('away'));
    await expect(retry(work, stop.signal, () => stop.abort())).rejects.toThrow('away');
  });
});

describe('pauses', () => {
  it('end immediately when the signal is aborted before or during the pause', async () => {
    const stop = new AbortController();
    const long = pause(3_600_000, stop.signal);
    stop.abort();
    await long;
    await pause(3_600_000, stop.signal);
  });

  it('end with the work or the signal, and remove their listeners', async () => {
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

  it('between attempts grow up to a limit', () => {
    const medians = [0, 1, 5, 100].map((attempt) => {
      const tries = Array.from({ length: 99 }, () => backOffMilliseconds(attempt)).sort((a, b) => a - b);
      return tries[49]!;
    });
    expect(medians[0]).toBeLessThan(medians[1]!);
    expect(medians[1]).toBeLessThan(medians[2]!);
    expect(Math.max(...medians)).toBeLessThanOrEqual(6250);
  });
});
