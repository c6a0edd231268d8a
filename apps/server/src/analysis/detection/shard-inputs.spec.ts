import { type ShardInput } from '#libs/detection';
import { joinInputs } from './shard-inputs.js';

const input = (kind: ShardInput['kind'], position: number, ...ids: number[]): ShardInput => ({
  kind,
  position,
  now: 1000 + position,
  ids: Uint32Array.from(ids),
  timestamps: Float64Array.from(ids, (id) => id * 60),
  values: Float64Array.from(ids, (id) => id / 2),
});

describe('inputs of a shard', () => {
  it('are joined if they are consecutive and of the same kind, but not ticks and definitions', () => {
    const inputs = [
      input('live', 11, 1, 2),
      input('live', 12, 1),
      input('backfill', 13, 3),
      input('backfill', 15, 4),
      input('tick', 16),
      input('define', 17, 1),
      input('define', 18, 2),
      input('live', 19, 5),
    ];
    const joined = joinInputs(inputs, 10);
    expect(joined.map(({ positions }) => positions)).toEqual([[11, 12], [13, 15], [16], [17], [18], [19]]);
    expect(joined[0]!.input).toEqual({
      kind: 'live',
      position: 12,
      now: 1012,
      ids: Uint32Array.of(1, 2, 1),
      timestamps: Float64Array.of(60, 120, 60),
      values: Float64Array.of(0.5, 1, 0.5),
    });
  });

  it('are not joined during a replay', () => {
    const inputs = [10, 11, 12, 13].map((position) => input('live', position, 1));
    expect(joinInputs(inputs, 11).map(({ positions }) => positions)).toEqual([[10], [11], [12, 13]]);
  });
});
