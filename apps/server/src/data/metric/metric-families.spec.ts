import { type MetricMetadata } from '#libs/protocols';
import { membersOfFamily } from './metric-families.js';

const members = (metadata: Partial<MetricMetadata>) =>
  membersOfFamily({ family: 'f', kind: 'gauge', help: '', unit: '', ...metadata });
const types = (metadata: Partial<MetricMetadata>) =>
  Object.fromEntries(members(metadata).map(({ displayName, type }) => [displayName, type]));

describe('membersOfFamily', () => {
  it('returns types by the kind of the family', () => {
    expect(types({ kind: 'gauge' })).toEqual({ f: 'gauge' });
    expect(types({ kind: 'counter' })).toEqual({ f: 'counter', f_total: 'counter' });
    expect(types({ kind: 'counter', family: 'f_total' })).toEqual({ f_total: 'counter' });
    expect(types({ kind: 'histogram' })).toEqual({
      f: 'gauge',
      f_count: 'counter',
      f_sum: 'counter',
      f_bucket: 'counter',
    });
    expect(types({ kind: 'gaugehistogram' })).toMatchObject({ f_count: 'gauge', f_bucket: 'gauge' });
    expect(types({ kind: 'info' })).toEqual({ f: 'gauge' });
  });

  it('returns only the description for an unknown kind', () => {
    expect(members({ kind: 'unknown' })).toEqual([]);
    expect(members({ kind: 'unknown', help: 'H' })).toEqual([
      { displayName: 'f', type: null, unit: null, description: 'H' },
    ]);
  });

  it('returns the unit for all members except counts', () => {
    const units = members({ kind: 'histogram', unit: 'seconds' }).map(({ displayName, unit }) => [displayName, unit]);
    expect(units).toEqual([
      ['f', 'seconds'],
      ['f_count', null],
      ['f_sum', 'seconds'],
      ['f_bucket', null],
    ]);
  });

  it('returns normalised names and texts of limited length', () => {
    const [member] = members({ family: 'a b', help: 'x'.repeat(5000), unit: 'u'.repeat(500) });
    expect(member?.displayName).toBe('a_b');
    expect(member?.description).toHaveLength(1000);
    expect(member?.unit).toHaveLength(64);
  });
});
