import { type Schema } from '../../lib/api.js';
import { toData } from './chart-data.js';
import { bestOf, delaysOf, median, resultsOf, sorted } from './compare.js';

const KEYS = { precision: 1, recall: 1, f1: 1, nab_score: 90 } as const;

function aModel(
  id: Schema<'BenchmarkModelResultDto'>['id'],
  part: Partial<Schema<'LabelFiguresDto'>> | null = {},
): Schema<'BenchmarkModelResultDto'> {
  const metrics = part && { true_positives: 1, false_positives: 0, false_negatives: 0, ...KEYS, ...part };
  return { id, status: 'finished', runtime_seconds: 1, anomalies_count: 1, message: '', metrics };
}

function aBenchmark(key: string, models: Schema<'BenchmarkModelResultDto'>[]): Schema<'BenchmarkDto'> {
  return { benchmark_id: key, models } as unknown as Schema<'BenchmarkDto'>;
}

function aChart(key: string, found: Record<string, [from: number, until: number][]>) {
  return toData({
    benchmark_id: key,
    name: '',
    labels: [
      [100, 200],
      [500, 600],
    ],
    timeseries: [],
    models: Object.entries(found).map(([id, anomalies]) => ({
      id: id as Schema<'BenchmarkModelDataDto'>['id'],
      expected_range: [],
      scores: [],
      anomalies: anomalies.map(([from, until]) => ({
        from,
        until,
        peak_timestamp: from,
        value: 1,
        score: 1,
        kind: 'spike' as const,
      })),
      metrics: null,
    })),
  });
}

describe('the delay of a model', () => {
  it('is measured from the start of each label to the first anomaly in it', () => {
    const anomalies = [
      { from: 160, until: 170 },
      { from: 130, until: 140 },
      { from: 480, until: 510 },
    ];
    expect(
      delaysOf(anomalies, [
        [100, 200],
        [500, 600],
        [900, 950],
      ]),
    ).toEqual([30, 0, null]);
  });

  it('merges overlapping labels', () => {
    expect(
      delaysOf(
        [{ from: 190, until: 195 }],
        [
          [150, 260],
          [100, 200],
        ],
      ),
    ).toEqual([90]);
  });

  it('is the median over its labels', () => {
    expect([median([]), median([7]), median([60, 0, 30]), median([10, 40])]).toEqual([null, 7, 30, 25]);
  });
});

describe('the models of a comparison', () => {
  const results = resultsOf(
    [
      aBenchmark('one', [aModel('plumbline'), aModel('sigma_vote', { recall: 0.5, f1: 0.667 })]),
      aBenchmark('two', [aModel('sigma_vote', null), aModel('matrix_profile', { precision: null, true_positives: 0 })]),
    ],
    [aChart('one', { plumbline: [[110, 120]], sigma_vote: [[150, 160]] }), aChart('two', { matrix_profile: [] })],
    (id) => id.toUpperCase(),
  );

  it('include those of both benchmarks once each, with the figures of the API', () => {
    expect(results.map(({ name }) => name)).toEqual(['PLUMBLINE', 'SIGMA_VOTE', 'MATRIX_PROFILE']);
    expect(results.map(({ figures }) => [figures.precision, figures.recall, figures.delay])).toEqual([
      [1, 1, 10],
      [1, 0.5, 50],
      [null, 1, null],
    ]);
  });

  it('are sorted by a figure with the best first, and without a figure last in either direction', () => {
    const ids = (...how: [sort: 'delay' | 'model', isReversed: boolean]) => sorted(results, ...how).map(({ id }) => id);
    expect(ids('delay', false)).toEqual(['plumbline', 'sigma_vote', 'matrix_profile']);
    expect(ids('delay', true)).toEqual(['sigma_vote', 'plumbline', 'matrix_profile']);
    expect(ids('model', true)).toEqual(['sigma_vote', 'plumbline', 'matrix_profile']);
  });

  it('have the best of each figure marked, and none when all are equal', () => {
    expect([...bestOf(results, 'delay')]).toEqual(['plumbline']);
    expect([...bestOf(results, 'f1')]).toEqual(['plumbline', 'matrix_profile']);
    expect([...bestOf(results, 'nab')]).toEqual([]);
    expect([...bestOf(results, 'runtime')]).toEqual([]);
  });

  it('are not marked for few false anomalies when they found no anomaly', () => {
    expect(bestOf(results, 'falses').has('matrix_profile')).toBe(false);
  });
});
