import { type Schema } from '../../lib/api';
import { texts } from './metrics.texts';

type Judged = Pick<Schema<'MetricDto'>, 'judgement'>;
type Metric = Judged & Pick<Schema<'MetricDto'>, 'readiness'>;

/** The format of times, and the current time: Unix seconds. */
export interface TimeTexts {
  timeOf: (timestamp: number) => string;
  now: number;
}

/** The data that the detector still needs, in sentences; empty if it has everything. */
export function readinessSentences(metric: Metric, { timeOf, now }: TimeTexts): string[] {
  const { judgement, readiness } = metric;
  const { state, reason, until_timestamp: until, values_needed: needed } = judgement;
  if (reason === 'excluded' || reason === 'paused') return [texts.ready[reason]];
  const sentences: string[] = [];
  if (state === 'learning' && until !== null) {
    sentences.push(until > now ? texts.ready.learning(timeOf(until), needed) : texts.ready.history);
  }
  if (reason !== null) sentences.push(texts.ready.notJudged[reason](needed));
  if (state === 'judged' && !judgement.silence) sentences.push(texts.ready.noSilence);
  const waits = (['range', 'daily', 'weekly'] as const)
    .filter((part) => !readiness[part].ready)
    .map((part) => {
      const at = readiness[part].expected_timestamp;
      return at === null ? texts.ready[part] : texts.ready.from(texts.ready[part], timeOf(at));
    });
  if (waits.length > 0) sentences.push(texts.ready.waits(waits.join('; ')));
  return sentences;
}

/** A short text for a list: until when the metric is learning, or why it is not judged; null if it is judged. */
export function judgementText({ judgement }: Judged, { timeOf, now }: TimeTexts): string | null {
  const { state, reason, until_timestamp: until } = judgement;
  // If history has just been sent, this time is in the past until the detector has processed it.
  if (state === 'learning' && until !== null) {
    return until > now ? texts.learningUntil(timeOf(until)) : texts.learningHistory;
  }
  return reason === null ? null : texts.notJudged[reason];
}
