import { type Schema } from '../../lib/api';
import { words } from './metrics.words';

type Judged = Pick<Schema<'MetricDto'>, 'judgement'>;
type Metric = Judged & Pick<Schema<'MetricDto'>, 'readiness'>;

/** What the detector still waits for, in sentences; empty when it has all it needs. `timeOf` writes Unix seconds. */
export function readinessSentences(metric: Metric, timeOf: (timestamp: number) => string): string[] {
  const { judgement, readiness } = metric;
  const { state, reason, until_timestamp: until, values_needed: needed } = judgement;
  if (reason === 'excluded' || reason === 'paused') return [words.ready[reason]];
  const sentences: string[] = [];
  if (state === 'learning' && until !== null) sentences.push(words.ready.learning(timeOf(until), needed));
  if (reason !== null) sentences.push(words.ready.notJudged[reason](needed));
  if (state === 'judged' && !judgement.silence) sentences.push(words.ready.noSilence);
  const waits = (['range', 'daily', 'weekly'] as const)
    .filter((part) => !readiness[part].ready)
    .map((part) => {
      const at = readiness[part].expected_timestamp;
      return at === null ? words.ready[part] : words.ready.from(words.ready[part], timeOf(at));
    });
  if (waits.length > 0) sentences.push(words.ready.waits(waits.join('; ')));
  return sentences;
}

/** In few words, for a list: until when the metric is learned, or why it is not judged; null where it is judged. */
export function judgementText({ judgement }: Judged, timeOf: (timestamp: number) => string): string | null {
  const { state, reason, until_timestamp: until } = judgement;
  if (state === 'learning' && until !== null) return words.learningUntil(timeOf(until));
  return reason === null ? null : words.notJudged[reason];
}
