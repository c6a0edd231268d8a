import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Failed } from '../../../components/page-states';
import { EDGES_HEIGHT, ShapeOverlay } from '../../../components/shape-overlay';
import { type ShapeScale } from '../../../lib/shape';
import { matchQuery } from '../api/patterns';
import { texts } from '../teach.texts';

/** A match drawn over the part of the pattern with which it was compared. */
export function MatchOverlay({
  id,
  height = 80,
  scale = 'shared',
  hasKey = true,
}: {
  id: number;
  height?: number;
  scale?: ShapeScale;
  hasKey?: boolean;
}) {
  const answer = useQuery(matchQuery(id));
  if (answer.isPending) return <Skeleton height={height + EDGES_HEIGHT} />;
  if (!answer.data) return <Failed error={answer.error} onRetry={() => void answer.refetch()} isOld={false} />;
  const { match, timeseries, pattern_timeseries: pattern } = answer.data;
  return (
    <ShapeOverlay
      curves={[
        {
          id: 'pattern',
          name: texts.thePattern(match.pattern_label),
          points: pattern,
          tone: 'main',
        },
        { id: 'match', name: texts.thisMatch, points: timeseries, tone: 'chosen' },
      ]}
      label={texts.matchOverlay(match.metric, match.pattern_label)}
      unit={match.unit}
      height={height}
      scale={scale}
      align="start"
      hasKey={hasKey}
    />
  );
}
