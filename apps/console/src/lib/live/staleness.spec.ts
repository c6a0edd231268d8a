import { jest } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { Staleness } from './staleness.js';

const KEYS = [['anomalies', 'list'], ['anomaly', 1], ['metrics']];

describe('Staleness', () => {
  let client: QueryClient;
  let staleness: Staleness;
  let isLookedAt: boolean;
  beforeEach(() => {
    jest.useFakeTimers();
    client = new QueryClient();
    for (const key of KEYS) client.setQueryData(key, 'loaded');
    isLookedAt = true;
    staleness = new Staleness(client, () => isLookedAt);
  });
  afterEach(() => {
    staleness.stop();
    client.clear();
    jest.useRealTimers();
  });

  /** Returns the first part of each invalidated key. */
  const stale = (): unknown[] =>
    KEYS.filter((key) => client.getQueryState(key)?.isInvalidated === true).map(([first]) => first);

  it('invalidates all noted keys together, one second after the first event', async () => {
    staleness.note(['anomalies']);
    await jest.advanceTimersByTimeAsync(900);
    staleness.note(['anomalies', 'anomaly']);
    expect(stale()).toEqual([]);
    await jest.advanceTimersByTimeAsync(100);
    expect(stale()).toEqual(['anomalies', 'anomaly']);
  });

  it('waits in the background until the tab is visible', async () => {
    isLookedAt = false;
    staleness.note(['anomalies']);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(stale()).toEqual([]);
    isLookedAt = true;
    staleness.load();
    expect(stale()).toEqual(['anomalies']);
  });

  it('invalidates everything after a gap, even one in the background', () => {
    isLookedAt = false;
    staleness.noteAll();
    expect(stale()).toEqual([]);
    isLookedAt = true;
    staleness.load();
    expect(stale()).toEqual(['anomalies', 'anomaly', 'metrics']);
  });

  it('invalidates a key only once', async () => {
    staleness.note(['anomalies']);
    staleness.load();
    client.setQueryData(KEYS[0]!, 'loaded again');
    await jest.advanceTimersByTimeAsync(2000);
    expect(stale()).toEqual([]);
  });
});
