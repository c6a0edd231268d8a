import { describe, expect, it } from '@jest/globals';
import { descendantsOf } from './pattern-family';

const child = (id: number, parent_id: number) => ({ id, parent_id });

describe('descendantsOf', () => {
  it('returns children and their descendants, but not siblings or parents', () => {
    const family = [child(1, 0), child(2, 1), child(3, 2), child(4, 1), child(5, 9)];
    expect(descendantsOf(1, family).map(({ id }) => id)).toEqual([2, 4, 3]);
    expect(descendantsOf(2, family).map(({ id }) => id)).toEqual([3]);
    expect(descendantsOf(3, family)).toEqual([]);
  });

  it('terminates on a cycle of parents', () => {
    expect(descendantsOf(1, [child(1, 2), child(2, 1)]).map(({ id }) => id)).toEqual([2]);
  });
});
