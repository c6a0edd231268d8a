import { JoinedCalls } from './joined-calls.js';

describe('JoinedCalls', () => {
  /** Each group, with a function that ends it. */
  let groups: { asked: readonly number[]; end: (error?: Error) => void }[];

  const work = (asked: readonly number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      groups.push({ asked, end: (error) => (error ? reject(error) : resolve(asked.map((one) => 10 * one))) });
    });
  const turn = () => new Promise((next) => setImmediate(next));
  const asked = () => groups.map((group) => group.asked);

  beforeEach(() => {
    groups = [];
  });

  it('joins calls of the same turn into one group, and resolves each with its own answer', async () => {
    const calls = new JoinedCalls(work, { atOnce: 1 });
    const answers = Promise.all([calls.call(1), calls.call(2), calls.call(3)]);
    await turn();
    expect(asked()).toEqual([[1, 2, 3]]);
    groups[0]!.end();
    await expect(answers).resolves.toEqual([10, 20, 30]);
  });

  it('joins calls into the next group while the maximum number of groups is running', async () => {
    const calls = new JoinedCalls(work, { atOnce: 2 });
    const answers = [calls.call(1)];
    await turn();
    answers.push(calls.call(2));
    await turn();
    answers.push(calls.call(3), calls.call(4));
    await turn();
    expect(asked()).toEqual([[1], [2]]);
    groups[1]!.end();
    await turn();
    await turn();
    expect(asked()).toEqual([[1], [2], [3, 4]]);
    for (const { end } of groups) end();
    await expect(Promise.all(answers)).resolves.toEqual([10, 20, 30, 40]);
  });

  it('splits calls into groups by weight, and runs a call above the limit alone', async () => {
    const calls = new JoinedCalls(work, { atOnce: 9, mostWeight: 10, weightOf: (one) => one });
    const answers = Promise.all([4, 5, 6, 70, 1].map((one) => calls.call(one)));
    for (let i = 0; i < 5; i++) await turn();
    expect(asked()).toEqual([[4, 5], [6], [70], [1]]);
    for (const { end } of groups) end();
    await expect(answers).resolves.toEqual([40, 50, 60, 700, 10]);
  });

  it('rejects only the calls of the group that fails', async () => {
    const calls = new JoinedCalls(work, { atOnce: 1 });
    const failing = Promise.allSettled([calls.call(1), calls.call(2)]);
    await turn();
    const next = calls.call(3);
    groups[0]!.end(new Error('away'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn();
    groups[1]!.end();
    await expect(next).resolves.toBe(30);
  });
});
