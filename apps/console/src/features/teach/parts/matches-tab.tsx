import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty, Failed, RowsSkeleton } from '../../../components/page-states';
import { useMayWrite } from '../../../lib/me';
import { waitingMatchesQuery } from '../api/patterns';
import { words } from '../teach.words';
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
        <Empty title={words.matchesNone}>
          {words.matchesNoneText} <ToAnomalies />
        </Empty>
      )}
      {data && data.total > 0 && (
        <>
          <Text size="sm">
            {words.matchesCount(data.total)} {words.judgeHint}{' '}
            {data.total > data.matches.length && (
              <span className="dim">{words.matchesPartial(data.matches.length)}</span>
            )}
          </Text>
          {!mayWrite && (
            <Text size="sm" className="dim">
              {words.readOnly}
            </Text>
          )}
          <MatchList matches={data.matches} hasMetric />
        </>
      )}
    </section>
  );
}
