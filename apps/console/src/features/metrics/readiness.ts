import { type Schema } from '../../lib/api';
import { words } from './metrics.words';

type Judged = Pick<Schema<'MetricDto'>, 'judgement'>;
type Metric = Judged & Pick<Schema<'MetricDto'>, 'readiness'>;

/** How times are written, and the present: Unix seconds. */
export interface TimeTexts {
  timeOf: (timestamp: number) => string;
  now: number;
}

/** What the detector still waits for, in sentences; empty when it has all it needs. */
export function readinessSentences(metric: Metric, { timeOf, now }: TimeTexts): string[] {
  const { judgement, readiness } = metric;
  const { state, reason, until_timestamp: until, values_needed: needed } = judgement;
  if (reason === 'excluded' || reason === 'paused') return [words.ready[reason]];
  const sentences: string[] = [];
  if (state === 'learning' && until !== null) {
    sentences.push(until > now ? words.ready.learning(timeOf(until), needed) : words.ready.history);
  }
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
export function judgementText({ judgement }: Judged, { timeOf, now }: TimeTexts): string | null {
  const { state, reason, until_timestamp: until } = judgement;
  // Of history that has just been sent, the time lies in the past until the detector has come through.
  if (state === 'learning' && until !== null) {
    return until > now ? words.learningUntil(timeOf(until)) : words.learningHistory;
  }
  return reason === null ? null : words.notJudged[reason];
}
