import { postgresSeconds } from './database.mjs';
import { noise } from './data-sets.mjs';

const DAY = 86_400;
const MIDNIGHT = 20_454 * DAY;
const PARTITIONS = 8;

/** Values of gauges with two decimals. */
function gauges(seed) {
  const random = noise(seed);
  return (id, at) => Math.round(100 * (id % 1000) + 3000 * Math.sin(at / 13_000) + 300 * random()) / 100;
}

/** Writes like those of detection in a history run: 1,250 series of one partition, 16 slots each, in alternation. */
export async function measureHistory(database, quick) {
  const series = 10_000;
  const slots = 16;
  const rounds = quick ? 10 : 45;
  const value = gauges(7);
  const store = database.open({ closePoints: 3_000_000 });
  const writing = meter();
  const folding = meter();
  let points = 0;
  for (let round = 0; round < rounds; round++) {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const some = series / PARTITIONS;
      const batch = emptyBatch(some * slots);
      for (let slot = 0, row = 0; slot < slots; slot++) {
        for (let n = 0; n < some; n++, row++) {
          batch.ids[row] = 1 + partition + ((n * 7) % some) * PARTITIONS;
          batch.timestamps[row] = MIDNIGHT + (round * slots + slot) * 60;
          batch.values[row] = value(batch.ids[row], batch.timestamps[row]);
        }
      }
      await writing.run(() => store.write(batch));
      points += batch.ids.length;
    }
    await folding.run(() => store.maintain(MIDNIGHT));
  }
  const compaction = database.open({ closePoints: 1, closedSeconds: 0, quietSeconds: 0 });
  await folding.run(() => compaction.maintain(MIDNIGHT));
  const compacting = meter();
  const { compactedDays } = await compacting.run(() => compaction.maintain(MIDNIGHT + 9 * DAY));
  await store.close();
  await compaction.close();
  const rows = [writing.row('write', points), folding.row('fold', points)];
  if (compactedDays > 0) rows.push(compacting.row('compaction of a day', points));
  await database.reset();
  return rows;
}

/** Ten writes per second, each with 400 points of 400 series. */
export async function measureSteady(database, quick) {
  const series = 200_000;
  const size = 400;
  const minutes = quick ? 2 : 10;
  const value = gauges(8);
  const store = database.open({ closePoints: 2_000_000 });
  const writing = meter();
  const folding = meter();
  let points = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const batches = [];
    for (let first = 0; first < series; first += size * PARTITIONS) {
      for (let partition = 0; partition < PARTITIONS; partition++) {
        const batch = emptyBatch(Math.min(size, Math.floor((series - first - partition - 1) / PARTITIONS) + 1));
        for (let n = 0; n < batch.ids.length; n++) {
          batch.ids[n] = 1 + first + n * PARTITIONS + partition;
          batch.timestamps[n] = MIDNIGHT + minute * 60;
          batch.values[n] = value(batch.ids[n], batch.timestamps[n]);
        }
        batches.push(batch);
        points += batch.ids.length;
      }
    }
    await writing.run(async () => {
      for (const batch of batches) await store.write(batch);
    });
  }
  const reading = await latencies(200, (n) =>
    store.readRaw(1 + ((n * 997) % series), MIDNIGHT, MIDNIGHT + DAY).then(({ values }) => values.length === minutes),
  );
  await folding.run(() => store.maintain(MIDNIGHT));
  const after = await latencies(200, (n) =>
    store.readRaw(1 + ((n * 997) % series), MIDNIGHT, MIDNIGHT + DAY).then(({ values }) => values.length === minutes),
  );
  await store.close();
  await database.reset();
  return [
    writing.row('write', points),
    folding.row('fold', points),
    { name: 'read of unfolded points', ...reading },
    { name: 'read of held points', ...after },
  ];
}

/** Windows of a week and of a day, as requested by a chart, next to recent ones. */
export async function measureRead(database, quick) {
  const series = quick ? 200 : 2000;
  const days = 7;
  const value = gauges(9);
  const store = database.open({ closePoints: 1, closedSeconds: 0, quietSeconds: 0 });
  for (let day = 0; day < days; day++) {
    for (let first = 1; first <= series; first += 200) {
      const batch = emptyBatch(200 * 1440);
      for (let row = 0; row < batch.ids.length; row++) {
        batch.ids[row] = first + Math.floor(row / 1440);
        batch.timestamps[row] = MIDNIGHT + day * DAY + (row % 1440) * 60;
        batch.values[row] = value(batch.ids[row], batch.timestamps[row]);
      }
      await store.write(batch);
    }
    await store.maintain(MIDNIGHT + (day + 9) * DAY);
  }
  const week = { from: MIDNIGHT, until: MIDNIGHT + days * DAY - 1, function: 'avg', envelope: false };
  const ask = (query) => (n) =>
    store.read({ ...query, id: 1 + ((n * 997) % series) }).then(({ values }) => values.length > 0);
  const count = quick ? 100 : 500;
  const results = [
    { name: '7 d at 360 s (1,680 points)', ...(await latencies(count, ask({ ...week, resolutionSeconds: 360 }))) },
    { name: '7 d at 60 s (10,080 points)', ...(await latencies(count, ask({ ...week, resolutionSeconds: 60 }))) },
    {
      name: '7 d at 600 s from tier 2',
      ...(await latencies(count, ask({ ...week, resolutionSeconds: 600, envelope: true }))),
    },
    {
      name: '24 h at 60 s',
      ...(await latencies(count, ask({ ...week, from: week.until - DAY, resolutionSeconds: 60 }))),
    },
    { name: 'extent', ...(await latencies(count, (n) => store.extent(1 + ((n * 997) % series)))) },
  ];
  await store.close();
  await database.reset();
  return results;
}

function emptyBatch(count) {
  return { ids: new Uint32Array(count), timestamps: new Float64Array(count), values: new Float64Array(count) };
}

/** Adds up the CPU time and wall time of the functions it runs. */
function meter() {
  const sum = { node: 0, postgres: 0, wall: 0 };
  return {
    async run(work) {
      const postgres = await postgresSeconds();
      const cpu = process.cpuUsage();
      const start = performance.now();
      const result = await work();
      sum.wall += (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      sum.node += (user + system) / 1e6;
      sum.postgres += (await postgresSeconds()) - postgres;
      return result;
    },
    row: (name, points) => ({
      name,
      points,
      'Node.js µs/point': Number(((sum.node * 1e6) / points).toFixed(3)),
      'PostgreSQL µs/point': Number(((sum.postgres * 1e6) / points).toFixed(3)),
      'wall µs/point': Number(((sum.wall * 1e6) / points).toFixed(3)),
    }),
  };
}

async function latencies(count, work) {
  for (let n = 0; n < 20; n++) await work(n);
  const times = [];
  for (let n = 0; n < count; n++) {
    const start = performance.now();
    if (!(await work(n))) throw new Error('A read did not find what was written');
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (part) => Number(times[Math.floor(part * times.length)].toFixed(2));
  return { 'p50 ms': at(0.5), 'p95 ms': at(0.95) };
}
