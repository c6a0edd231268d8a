import { Refusals } from './refusals.js';

describe('the lines of refusals', () => {
  it('contain each problem of a line once', () => {
    const refusals = new Refusals();
    refusals.addBadLine('bad_name', 1, 'a');
    refusals.addBadLine('not_numeric', 1, 'b');
    refusals.addBadLine('bad_name', 1, 'a');
    refusals.addBadLine('bad_name', 2, 'a');
    expect(refusals.badLines).toEqual([
      { reason: 'bad_name', line: 1, problem: 'a' },
      { reason: 'not_numeric', line: 1, problem: 'b' },
      { reason: 'bad_name', line: 2, problem: 'a' },
    ]);
  });

  it('stop at a number of problems, also if all are the same', () => {
    const refusals = new Refusals(2);
    let calls = 0;
    for (; refusals.takesLines && calls < 1000; calls++) refusals.addBadLine('bad_name', 1, 'a');
    expect(calls).toBe(20);
  });
});
