import { factsOf } from './incident-facts.js';
import { placeAnomalies } from './incident-grouping.js';
import { rankOrigins } from './incident-origins.js';
import { TokenStatistics } from './incident-tokens.js';
import { type IncidentMember } from './incident.types.js';

const NOTHING_KNOWN = new TokenStatistics([], 0);
let ids = 0;

function member(displayName: string, start: number, labels: Record<string, string> = {}): IncidentMember {
  const id = ++ids;
  return {
    anomalyId: id,
    metricId: id,
    metricName: displayName,
    displayName,
    labels,
    unit: null,
    type: 'gauge',
    kind: 'level_shift_up',
    value: 93,
    lower: 20,
    upper: 40,
    peakValue: 93,
    start,
    end: null,
    severity: 50,
    score: 0.8,
    isOpen: true,
    backfill: false,
  };
}

const namesOf = (placements: readonly { newcomers: readonly IncidentMember[] }[]): string[][] =>
  placements.map(({ newcomers }) => newcomers.map(({ displayName }) => displayName).sort()).sort();

describe('placeAnomalies', () => {
  it('groups anomalies that share a label value or a part of the name', () => {
    const anomalies = [
      member('disk', 0, { host: 'db-1' }),
      member('queries', 30, { host: 'db-1' }),
      member('web-1.cpu', 0),
      member('web-1.eth0.tx', 60),
      member('disk.free', 10, { host: 'db-2' }),
    ];
    expect(namesOf(placeAnomalies(anomalies, [], NOTHING_KNOWN))).toEqual([
      ['disk', 'disk.free', 'queries'],
      ['web-1.cpu', 'web-1.eth0.tx'],
    ]);
  });

  it('ignores parts that most metrics share', () => {
    const sample = Array.from({ length: 100 }, (_, i) => ({
      displayName: 'up',
      labels: { job: 'node', host: String(i) },
    }));
    const anomalies = [member('up', 0, { job: 'node', host: '1' }), member('up', 10, { job: 'node', host: '2' })];
    expect(placeAnomalies(anomalies, [], new TokenStatistics(sample, 0))).toHaveLength(2);
    const same = [member('up', 0, { job: 'node', host: '1' }), member('load', 10, { job: 'node', host: '1' })];
    expect(placeAnomalies(same, [], new TokenStatistics(sample, 0))).toHaveLength(1);
  });

  it('requires rarer common parts when more anomalies are usual at the same time', () => {
    const sample = Array.from({ length: 100 }, (_, i) => ({ displayName: 'm', labels: { rack: String(i % 10) } }));
    const anomalies = [member('a', 0, { rack: '1' }), member('b', 10, { rack: '1' })];
    expect(placeAnomalies(anomalies, [], new TokenStatistics(sample, 1))).toHaveLength(1);
    expect(placeAnomalies(anomalies, [], new TokenStatistics(sample, 10))).toHaveLength(2);
  });

  it('adds to existing incidents, and merges two', () => {
    const known = [
      { id: 7, members: [member('a', 0, { host: 'x' })] },
      { id: 3, members: [member('b', 200, { host: 'x' })] },
      { id: 9, members: [member('c', 100, { host: 'y' })] },
    ];
    const bridge = member('d', 100, { host: 'x' });
    expect(placeAnomalies([bridge], known, NOTHING_KNOWN)).toEqual([{ incidentIds: [3, 7], newcomers: [bridge] }]);
  });

  it('handles 20,000 anomalies without comparing all pairs', () => {
    const anomalies = Array.from({ length: 20_000 }, (_, i) => member(`m${String(i)}`, i % 60, { cluster: 'a' }));
    expect(placeAnomalies(anomalies, [], NOTHING_KNOWN)).toHaveLength(1);
    expect(rankOrigins(anomalies, NOTHING_KNOWN)).toHaveLength(10);
  });
});

describe('rankOrigins', () => {
  it('ranks the metric first that began first, among those that share something with the others', () => {
    const stray = member('stray', 0, { host: 'other' });
    const disk = member('disk', 0, { host: 'db-1' });
    const others = Array.from({ length: 8 }, (_, i) => member(`m${String(i)}`, 60, { host: 'db-1' }));
    const [first, ...rest] = rankOrigins([...others, stray, disk], NOTHING_KNOWN);
    expect(first).toMatchObject({ metric_id: disk.metricId, rank: 1 });
    expect(first!.reason).toBe('started first and leads 8 of 9 others by 60 s; shares host=db-1 with 8 of them');
    expect(rest[0]!.likelihood).toBeLessThan(first!.likelihood);
  });
});

describe('the title of an incident', () => {
  const context = { timezone: 'Europe/Oslo', statistics: NOTHING_KNOWN, earlier: new Map() };

  it('names the common part, the local time and the first metric', () => {
    const members = [member('web-1.disk.latency', 1_760_000_000), member('web-1.cpu', 1_760_000_060)];
    expect(factsOf(members, context).title).toBe('2 metrics of web-1 since 10:53, first: web-1.disk.latency');
  });

  const titleOf = (members: IncidentMember[]) => factsOf(members, context).title;
  const of = (start: number, fields: Partial<IncidentMember> = {}): IncidentMember => ({
    ...member('web-1.cpu', start),
    metricId: 7,
    ...fields,
  });
  const DAY_START = 1_760_047_200; // Midnight in Oslo.

  it('describes the anomaly of a single metric', () => {
    expect(titleOf([of(1_760_000_000, { unit: '%' })])).toBe('web-1.cpu rose to 93 % (usual 20 to 40 %)');
    const silent = { kind: 'missing_data', value: null, lower: null, upper: null } as const;
    expect(titleOf([of(1_760_000_000, silent)])).toBe('web-1.cpu has had no data since 10:53');
    const over = { ...silent, isOpen: false, end: 1_760_000_300 };
    expect(titleOf([of(1_760_000_000, over)])).toBe('web-1.cpu had no data from 10:53 to 10:58');
  });

  it('names the peak of a single metric once it is further out than the first value', () => {
    expect(titleOf([of(1_760_000_000, { value: 41, peakValue: 93 })])).toBe('web-1.cpu rose to 93 (usual 20 to 40)');
  });

  it('states that all metrics are silent, or constant', () => {
    const silent = { kind: 'missing_data', value: null, lower: null, upper: null, peakValue: null } as const;
    const all = (fields: Partial<IncidentMember>) =>
      ['cpu', 'load', 'disk'].map((name) => ({ ...member(`web-1.${name}`, 1_760_000_000), ...fields }));
    expect(titleOf(all(silent))).toBe('3 metrics of web-1 have had no data since 10:53, first: web-1.cpu');
    expect(titleOf(all({ ...silent, isOpen: false, end: 1_760_000_300 }))).toBe(
      '3 metrics of web-1 had no data from 10:53 to 10:58, first: web-1.cpu',
    );
    expect(titleOf(all({ kind: 'flatline' }))).toBe(
      '3 metrics of web-1 have not changed since 10:53, first: web-1.cpu',
    );
    expect(titleOf([...all(silent), member('web-1.net', 1_760_000_000)])).toBe(
      '4 metrics of web-1 since 10:53, first: web-1.cpu',
    );
  });

  it('shows a single counter as a rate', () => {
    expect(titleOf([of(1_760_000_000, { unit: 'bytes', type: 'counter' })])).toContain('rose to 93 B/s');
  });

  it('describes the most severe open anomaly of a single metric', () => {
    const [over, mild, bad] = [
      of(1_760_000_000, { severity: 90, isOpen: false, end: 1_760_000_060 }),
      of(1_760_000_060, { value: 50, peakValue: 50 }),
      of(1_760_000_120, { value: 70, peakValue: 70, severity: 60 }),
    ];
    expect(titleOf([over, mild, bad])).toBe('web-1.cpu rose to 70 (usual 20 to 40)');
    expect(titleOf([over])).toBe('web-1.cpu rose to 93 (usual 20 to 40)');
  });

  it('names the days when an incident spans midnight', () => {
    const over = { isOpen: false, end: DAY_START + 600 };
    const several = [member('web-1.cpu', DAY_START - 600), member('web-1.load', DAY_START - 540)];
    expect(titleOf(several)).toBe('2 metrics of web-1 since 23:50, first: web-1.cpu');
    expect(titleOf(several.map((one) => ({ ...one, ...over })))).toBe(
      '2 metrics of web-1 from Thu 23:50 to Fri 00:10, first: web-1.cpu',
    );
    expect(titleOf([...several, member('web-1.disk', DAY_START + 60)])).toBe(
      '3 metrics of web-1 since Thu 23:50, first: web-1.cpu',
    );
  });
});
