import { type MetricType } from '#libs/contracts';
import { CliError, ExitCode, UsageError } from '../cli-error.js';
import { openInput } from '../csv/open-input.js';
import { readSeriesCsv, type SpellingOptions } from '../csv/read-series-csv.js';
import { inOrderOfTime } from '../csv/series-order.js';
import { type Progress, startProgress } from '../progress.js';
import { type ServerOptions, tokenOf } from '../server-token.js';
import { type Terminal } from '../terminal.js';
import { IngestClient, type Receipt, waitFor } from './ingest-client.js';
import { backfillSchedule, liveSchedule } from './schedule.js';

/** Options of the command line. */
export interface ReplayOptions extends SpellingOptions, ServerOptions {
  metric: string;
  speed: number;
  endNow?: true;
  type: MetricType;
  unit?: string;
  timezone: string;
  timestampColumn?: string;
  valueColumn?: string;
}

function add(total: Receipt, receipt: Receipt): void {
  total.accepted += receipt.accepted;
  total.refused += receipt.refused;
  for (const [reason, count] of Object.entries(receipt.reasons)) {
    total.reasons[reason] = (total.reasons[reason] ?? 0) + count;
  }
}

function summary(metric: string, total: Receipt, missing: number): string {
  const reasons = Object.entries(total.reasons).map(([reason, count]) => `${count.toLocaleString('en')} ${reason}`);
  const refused =
    total.refused === 0
      ? ''
      : `, ${total.refused.toLocaleString('en')} refused (${reasons.join(', ') || 'no reason given'})`;
  const without = missing === 0 ? '' : `, ${missing.toLocaleString('en')} rows without value left out`;
  return `${metric}: ${total.accepted.toLocaleString('en')} points accepted${refused}${without}\n`;
}

/** Sends the rows of the file and reports which of them the server accepted. */
export async function replayFile(file: string, options: ReplayOptions, terminal: Terminal): Promise<void> {
  const isLive = Number.isFinite(options.speed);
  if (isLive && options.endNow) throw new UsageError('--end-now goes with --speed max only');
  const token = await tokenOf(options);
  const input = await openInput(file, terminal.stdin);
  const read = await readSeriesCsv(input.stream, { ...options, source: input.source });
  // Live rows are sent at their scheduled time, and history is learnt in order of time.
  const { timestamps, values } = inOrderOfTime(read).series;
  const points = values.reduce((count, value) => count + (Number.isFinite(value) ? 1 : 0), 0);

  const signal = terminal.interruption();
  const now = Date.now() / 1000;
  const last = timestamps.reduce((latest, timestamp) => Math.max(latest, timestamp), -Infinity);
  const schedule = isLive
    ? liveSchedule(timestamps, values, now, options.speed)
    : backfillSchedule(timestamps, values, options.endNow ? Math.floor(now - last) : 0);

  const total: Receipt = { accepted: 0, refused: 0, reasons: {} };
  const progress: Progress = startProgress(terminal, 'Sending', points, 'points');
  const client = new IngestClient(
    { ...options, token, unit: options.unit, backfill: !isLive },
    {
      fetch,
      sleep: waitFor,
      onWait: (reason, seconds) =>
        terminal.err(`${terminal.isInteractive ? '\n' : ''}${reason}; retrying in ${Math.ceil(seconds)} s\n`),
    },
  );
  try {
    for (const { sendAt, ...batch } of schedule) {
      const waitMs = sendAt * 1000 - Date.now();
      if (waitMs > 0) await waitFor(waitMs, signal);
      signal.throwIfAborted();
      add(total, await client.send(batch, signal));
      progress.advance(batch.timestamps.length);
    }
  } catch (error) {
    progress.stop();
    if (total.accepted > 0) terminal.err(summary(options.metric, total, values.length - points));
    if (signal.aborted) throw new CliError('interrupted', ExitCode.Interrupted);
    throw error;
  }
  progress.stop();
  terminal.out(summary(options.metric, total, values.length - points));
  if (total.accepted > 0 && total.refused === 0) return;
  const isTooOld = (total.reasons.too_old ?? 0) > 0 && !options.endNow;
  throw new CliError(
    `the server ${total.accepted === 0 ? 'accepted no point' : `refused ${total.refused.toLocaleString('en')} points`}` +
      (isTooOld ? '; rows are older than it keeps: --end-now moves them to now' : ''),
  );
}
