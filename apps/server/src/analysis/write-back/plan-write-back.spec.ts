import { pauseWithoutSlots, planWriteBack, restAfter } from './plan-write-back.js';

const plan = (progress: Partial<Parameters<typeof planWriteBack>[0]>) =>
  planWriteBack({ watermark: 600, readUntil: 720, intervalSeconds: 60, slotSeconds: 60, ...progress });

describe('planWriteBack', () => {
  it('plans every slot after the last one whose points have been read', () => {
    expect(plan({})).toEqual({ from: 660, until: 720, settledFrom: 720, isLast: true });
    expect(plan({ readUntil: 660 })).toEqual({ from: 660, until: 660, settledFrom: 660, isLast: true });
    expect(plan({ readUntil: 600 })).toBeNull();
  });

  it('waits with a slot that may get more points until the next one begins', () => {
    expect(plan({ readUntil: 710, intervalSeconds: 10 })).toBeNull();
    const whole = { from: 660, until: 660, settledFrom: 720, isLast: true };
    expect(plan({ readUntil: 720, intervalSeconds: 10 })).toEqual(whole);
  });

  it('does not exceed the reads of a source with an interval longer than a slot', () => {
    expect(plan({ readUntil: 900, intervalSeconds: 300 })).toMatchObject({ from: 660, until: 900, isLast: true });
    expect(plan({ watermark: 900, readUntil: 900, intervalSeconds: 300 })).toBeNull();
  });

  it('begins with the newest slot', () => {
    expect(plan({ watermark: null, readUntil: 720 })).toMatchObject({ from: 720, until: 720, isLast: true });
  });

  it('catches up in parts, over at most one day', () => {
    expect(plan({ watermark: 0, readUntil: 60_000 })).toMatchObject({ from: 60, until: 7200, isLast: false });
    expect(plan({ watermark: 0, readUntil: 200_040 })).toMatchObject({ from: 200_040 - 86_400, isLast: false });
  });

  it('continues after the slot length has changed', () => {
    expect(plan({ watermark: 630, slotSeconds: 60 })).toMatchObject({ from: 660 });
  });
});

describe('the pause after a write-back', () => {
  it('is three times its duration, but at least the interval of checks for a new slot', () => {
    const last = { from: 0, until: 0, settledFrom: 0, isLast: true };
    expect(restAfter(100, last, 60)).toBe(300);
    expect(restAfter(0.1, last, 60)).toBe(15);
    expect(restAfter(0.5, { ...last, isLast: false }, 60)).toBe(1.5);
    expect([pauseWithoutSlots(10), pauseWithoutSlots(86_400)]).toEqual([2.5, 60]);
  });
});
