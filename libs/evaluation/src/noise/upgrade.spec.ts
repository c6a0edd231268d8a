import { DetectionShard, type SeriesDefinition, type ShardInput, type ShardOutput } from '#libs/detection';
import { type QuietKind, quietSeries, type QuietSeries } from '#libs/synthetic';

const DAY = 86_400;
/** Slots of five minutes. */
const SLOT = 300;
const PER_DAY = DAY / SLOT;
/** QUIET_START is a Wednesday: the upgrade is on a Friday at noon, a weekend follows. */
const UPGRADE = 23 * PER_DAY + PER_DAY / 2;
const AFTER = UPGRADE + 2 * PER_DAY;
/** Days for which slots are stored by default; older points are in roll-ups of ten minutes. */
const SLOT_DAYS = 7;
const ROLLED = 2;
/** Seasons, weekends, restarts (daily and at deployments), jobs. */
const KINDS: readonly QuietKind[] = [
  'daily',
  'weekly',
  'counts',
  'latency',
  'network',
  'temperature',
  'leak_daily_restart',
  'leak_deploys',
  'nightly_job',
  'disk',
];

const fleet = Array.from({ length: 30 }, (_, id) => ({
  definition: { id, type: 'gauge', aggregation: 'last', slotSeconds: SLOT, timezone: 'UTC' } satisfies SeriesDefinition,
  series: quietSeries(KINDS[id % KINDS.length]!, 900 + id, AFTER / PER_DAY, SLOT),
}));

function partOf(
  id: number,
  { timestamps, values }: QuietSeries,
  from: number,
  until: number,
  position: number,
): ShardInput {
  return {
    kind: 'live',
    position,
    now: timestamps[until - 1]!,
    ids: new Uint32Array(until - from).fill(id),
    timestamps: timestamps.slice(from, until),
    values: values.slice(from, until),
  };
}

/** The stored rows of a series at the upgrade, as the product reads them for a detector that learns again. */
function storedOf({ timestamps, values }: QuietSeries): QuietSeries {
  const slotsFrom = UPGRADE - SLOT_DAYS * PER_DAY;
  const rolled = Array.from({ length: slotsFrom / ROLLED }, (_, i) => i * ROLLED);
  const meanFrom = (row: number): number => values.subarray(row, row + ROLLED).reduce((sum, one) => sum + one) / ROLLED;
  return {
    timestamps: Float64Array.from([...rolled.map((row) => timestamps[row]!), ...timestamps.slice(slotsFrom, UPGRADE)]),
    values: Float64Array.from([...rolled.map(meanFrom), ...values.slice(slotsFrom, UPGRADE)]),
  };
}

/** The fleet in pages of the previous version, whose records have another length. */
function pagesBefore(shard: DetectionShard): { page: number; position: number; bytes: Uint8Array }[] {
  const pages: { page: number; position: number; bytes: Uint8Array }[] = [];
  for (let saved = shard.savePage(); saved !== null; saved = shard.savePage()) {
    const header = new DataView(saved.bytes.buffer, saved.bytes.byteOffset);
    header.setUint32(4, header.getUint32(4, true) - 1, true);
    header.setUint32(8, header.getUint32(8, true) - 8, true);
    pages.push(saved);
  }
  return pages;
}

describe('an upgrade to a detector with another record layout', () => {
  const opened = ({ events }: ShardOutput): number => events.filter(({ type }) => type === 'opened').length;
  const openedAfter = (shard: DetectionShard): number =>
    fleet.reduce((sum, { definition, series }) => {
      return sum + opened(shard.apply(partOf(definition.id, series, UPGRADE, AFTER, 100 + definition.id)));
    }, 0);

  it('opens no more anomalies in the next two days than without the upgrade', () => {
    const lived = new DetectionShard();
    for (const { definition, series } of fleet) {
      lived.define(definition);
      lived.apply(partOf(definition.id, series, 0, UPGRADE, 1 + definition.id));
    }
    const pages = pagesBefore(lived);
    const without = openedAfter(lived);
    const shard = new DetectionShard();
    for (const { page, position, bytes } of pages) {
      expect(() => shard.restorePage(page, position, bytes)).toThrow('snapshot version');
      shard.relearnPage(page, position, bytes);
    }
    for (const { id } of shard.awaitingHistory(fleet.length)) {
      const { timestamps, values } = storedOf(fleet[id]!.series);
      shard.takeHistory(id, timestamps, values);
    }
    expect(shard.awaitingHistory(1)).toEqual([]);
    expect(fleet.filter(({ definition }) => shard.progress(definition.id)!.valuesNeeded === 0)).toHaveLength(30);
    expect(openedAfter(shard)).toBeLessThanOrEqual(without);
  });
});
