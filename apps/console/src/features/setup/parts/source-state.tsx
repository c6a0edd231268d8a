import { Progress } from '@mantine/core';
import { useNow } from '../../../lib/now';
import { backfilledShare, type Source } from '../source-form';
import { texts } from '../sources.texts';

/** The activity of a source; for a backfill, its progress. */
export function SourceState({ source }: { source: Source }) {
  const now = useNow();
  const { state } = source;
  const text = texts.states[state];
  if (state === 'failing') return <strong>{text}</strong>;
  if (state === 'disabled') return <span className="dim">{text}</span>;
  if (state === 'ok') return <span>{text}</span>;
  const percent = Math.floor(100 * backfilledShare(source, now));
  return (
    <>
      <span>
        {text}: {texts.backfilled(percent)}
      </span>
      <Progress value={percent} size="xs" mt={4} maw={160} aria-label={text} />
    </>
  );
}
