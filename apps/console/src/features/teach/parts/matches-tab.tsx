import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty, Failed, RowsSkeleton } from '../../../components/page-states';
import { useMayWrite } from '../../../lib/me';
import { waitingMatchesQuery } from '../api/patterns';
import { texts } from '../teach.texts';
import classes from '../teach.module.css';
import { MatchList } from './match-list';
import { ToAnomalies } from './to-anomalies';

/** Matches without a verdict. */
export function MatchesTab() {
  const mayWrite = useMayWrite();
  const { data, isPending, error, refetch } = useQuery(waitingMatchesQuery);
  if (isPending) return <RowsSkeleton rows={5} height={72} />;
  return (
    <section className={classes.block}>
      {error && <Failed error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <Empty title={texts.matchesNone}>
          {texts.matchesNoneText} <ToAnomalies />
        </Empty>
      )}
      {data && data.total > 0 && (
        <>
          <Text size="sm">
            {texts.matchesCount(data.total)} {texts.judgeHint}{' '}
            {data.total > data.matches.length && (
              <span className="dim">{texts.matchesPartial(data.matches.length)}</span>
            )}
          </Text>
          {!mayWrite && (
            <Text size="sm" className="dim">
              {texts.readOnly}
            </Text>
          )}
          <MatchList matches={data.matches} hasMetric />
        </>
      )}
    </section>
  );
}
