import { ByteBudget } from './byte-budget.js';
import { byOrg } from './org-figures.js';

describe('the byte budget', () => {
  let budget: ByteBudget;
  beforeEach(() => {
    budget = new ByteBudget({ limitBytes: 900, unauthenticatedShare: 0.25 });
  });

  const known = (party: string) => {
    const share = budget.open('address');
    share.identified(party);
    return share;
  };

  /** Bytes that many bodies of one party get if each requests 10 until it is refused. */
  function fill(party: string, bodies = 200): number {
    let taken = 0;
    for (let i = 0; i < bodies; i++) if (known(party).tryReserve(10)) taken += 10;
    return taken;
  }

  it('leaves room for other parties while one party has many bodies open', () => {
    expect(fill('a')).toBe(600);
    expect(fill('b')).toBeGreaterThanOrEqual(190);
    expect(known('c').tryReserve(50)).toBe(true);
    expect(budget.heldBytes).toBeLessThanOrEqual(900);
    expect(budget.largestHeldBytes).toBe(600);
  });

  it('lists the parties by held bytes, largest first', () => {
    known('org:1').tryReserve(10);
    known('org:2').tryReserve(30);
    known('org:2').tryReserve(30);
    expect(budget.holders).toEqual([
      ['org:2', 60],
      ['org:1', 10],
    ]);
    expect(byOrg([...budget.holders, ['address:192.0.2.1', 5]], 75)).toEqual([
      ['2', 60],
      ['1', 10],
      ['other', 5],
    ]);
  });

  it('grants a lone body more than the limit, and the only body of a party the rest', () => {
    const alone = known('a');
    expect(alone.tryReserve(5000)).toBe(true);
    expect(known('b').tryReserve(1)).toBe(false);
    alone.release();
    expect(known('a').tryReserve(100)).toBe(true);
    expect(known('b').tryReserve(800)).toBe(true);
  });

  it('limits unidentified parties together to a part of the budget', () => {
    const [one, two] = [budget.open('1'), budget.open('2')];
    expect([one.tryReserve(150), two.tryReserve(100)]).toEqual([true, false]);
    one.identified('a');
    expect(two.tryReserve(100)).toBe(true);
  });

  it('holds no bytes after all are released, even when released twice', () => {
    const share = known('a');
    share.tryReserve(100);
    share.releaseBytes(40);
    share.release();
    share.release();
    expect([budget.heldBytes, budget.largestHeldBytes]).toEqual([0, 0]);
  });
});
