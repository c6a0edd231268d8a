import { jest } from '@jest/globals';
import { liveState } from './live-state.js';
import { Stream } from './stream.js';

/** Stands in for the EventSource of the browser. */
class Source extends EventTarget {
  static opened: Source[] = [];
  onopen: (() => void) | undefined;
  onerror: (() => void) | undefined;
  isOpen = true;

  constructor() {
    super();
    Source.opened.push(this);
  }

  close(): void {
    this.isOpen = false;
  }
}

describe('the connection to the event stream', () => {
  let stream: Stream;
  let received: string[];
  let mayRun: boolean;
  beforeEach(() => {
    jest.useFakeTimers();
    Object.assign(globalThis, { EventSource: Source });
    Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { onLine: true } });
    Source.opened = [];
    received = [];
    mayRun = true;
    liveState.set('connecting');
    stream = new Stream({
      mayRun: () => mayRun,
      onState: (state) => {
        liveState.set(state);
        received.push(state);
      },
      onEvent: (type) => received.push(type),
      onGap: () => received.push('gap'),
      onEnd: () => received.push('end'),
    });
  });
  afterEach(() => {
    stream.close();
    jest.useRealTimers();
  });

  const latest = (): Source => Source.opened.at(-1)!;
  const opened = (): number => Source.opened.length;

  it('reports state changes, known events and gaps', () => {
    stream.begin();
    latest().onopen?.();
    for (const type of ['anomaly.opened', 'resync', 'unknown']) latest().dispatchEvent(new Event(type));
    expect(received).toEqual(['live', 'anomaly.opened', 'gap']);
  });

  it('reconnects with delays up to ten seconds, and starts with the first delay after a success', async () => {
    stream.begin();
    for (const [index, wait] of [1000, 2000, 5000, 10_000, 10_000].entries()) {
      latest().onerror?.();
      await jest.advanceTimersByTimeAsync(wait - 1);
      expect(opened()).toBe(index + 1);
      await jest.advanceTimersByTimeAsync(1);
      expect(opened()).toBe(index + 2);
    }
    latest().onopen?.();
    latest().onerror?.();
    await jest.advanceTimersByTimeAsync(1000);
    expect(opened()).toBe(7);
    expect(Source.opened.filter(({ isOpen }) => isOpen)).toHaveLength(1);
  });

  it('reconnects immediately on hurry, and only once', async () => {
    stream.begin();
    latest().onopen?.();
    stream.retryNow();
    expect(opened()).toBe(1);
    latest().onerror?.();
    stream.retryNow();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(opened()).toBe(2);
  });

  it('does not reconnect while reconnecting is not allowed', async () => {
    stream.begin();
    latest().onopen?.();
    mayRun = false;
    latest().onerror?.();
    stream.open();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([opened(), received]).toEqual([1, ['live']]);
    mayRun = true;
    stream.open();
    expect(opened()).toBe(2);
  });

  it('does nothing in a tab that does not own the stream', () => {
    stream.open();
    stream.disconnect();
    stream.restart();
    expect([opened(), received]).toEqual([0, []]);
  });

  it('reconnects after the server ends it, and at most every half minute for unanswered requests', async () => {
    stream.begin();
    latest().onopen?.();
    latest().dispatchEvent(new Event('end'));
    expect(received).toEqual(['live', 'lost', 'end']);
    await jest.advanceTimersByTimeAsync(1000);
    for (const [wait, after] of [
      [0, 3],
      [10_000, 3],
      [20_000, 4],
    ] as const) {
      latest().onopen?.();
      await jest.advanceTimersByTimeAsync(wait);
      stream.suspectLost();
      await jest.advanceTimersByTimeAsync(1000);
      expect(opened()).toBe(after);
    }
  });
});
