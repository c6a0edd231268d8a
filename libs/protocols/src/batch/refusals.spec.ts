import { Refusals } from './refusals.js';

describe('the lines of refusals', () => {
  it('contain each problem of a line once', () => {
    const refusals = new Refusals();
    refusals.addBadLine(1, 'a');
    refusals.addBadLine(1, 'b');
    refusals.addBadLine(1, 'a');
    refusals.addBadLine(2, 'a');
    expect(refusals.badLines).toEqual([
      { line: 1, problem: 'a' },
      { line: 1, problem: 'b' },
      { line: 2, problem: 'a' },
    ]);
  });

  it('stop at a number of problems, also if all are the same', () => {
    const refusals = new Refusals(2);
    let calls = 0;
    for (; refusals.takesLines && calls < 1000; calls++) refusals.addBadLine(1, 'a');
    expect(calls).toBe(20);
  });
});
