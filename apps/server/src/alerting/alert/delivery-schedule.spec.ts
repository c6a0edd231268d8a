import { giveUpSeconds, pauseAfter } from './delivery-schedule.js';

describe('the retry schedule', () => {
  const pauses = (channel: 'email' | 'webhook', random: number) =>
    Array.from({ length: 8 }, (_, tries) => pauseAfter(channel, tries + 1, null, random));

  it('ends after half an hour for people, and after a day for programs', () => {
    expect(pauses('email', 0)).toEqual([5, 60, 300, 1800, null, null, null, null]);
    expect(pauses('webhook', 0)).toEqual([5, 60, 300, 1800, 7200, 28_800, 86_400, null]);
  });

  it('lengthens pauses by up to a tenth', () => {
    const lengthened = pauses('email', 1).slice(0, 4);
    expect(lengthened.map((pause) => Number(pause!.toFixed(6)))).toEqual([5.5, 66, 330, 1980]);
  });

  it('waits as long as the service requests, at most an hour', () => {
    expect(pauseAfter('chat', 1, 30, 0)).toBe(30);
    expect(pauseAfter('chat', 2, 30, 0)).toBe(60);
    expect(pauseAfter('chat', 1, 1e9, 0)).toBe(3600);
    expect(pauseAfter('chat', 5, 30, 0)).toBeNull();
  });

  it('gives up a message only after all of its pauses', () => {
    expect(giveUpSeconds('email')).toBeGreaterThan(1.1 * 2165);
    expect(giveUpSeconds('webhook')).toBeGreaterThan(1.1 * 124_565);
  });
});
