import { type Schema } from '../../lib/api';
import { words } from './metrics.words';

type Metric = Pick<Schema<'MetricDto'>, 'analysis_state' | 'points_needed' | 'live_from_timestamp' | 'readiness'>;

/** What the detector still waits for, in sentences; empty when it has all it needs. `timeOf` writes Unix seconds. */
export function readinessSentences(metric: Metric, timeOf: (timestamp: number) => string): string[] {
  const { analysis_state: state, points_needed: needed, live_from_timestamp: from, readiness } = metric;
  const sentences: string[] = [];
  if (state === 'collecting') {
    sentences.push(words.ready.collecting(needed) + (from === null ? '' : words.ready.about(timeOf(from))));
  }
  if (state === 'learning') {
    sentences.push(from === null ? words.ready.learning : words.ready.learningUntil(timeOf(from)));
  }
  if (state === 'excluded') return [words.ready.excluded];
  if (state === 'paused') return [words.ready.paused];
  const waits = (['range', 'daily', 'weekly'] as const)
    .filter((part) => !readiness[part].ready)
    .map((part) => {
      const at = readiness[part].expected_timestamp;
      return at === null ? words.ready[part] : words.ready.from(words.ready[part], timeOf(at));
    });
  if (waits.length > 0) sentences.push(words.ready.waits(waits.join('; ')));
  return sentences;
}
