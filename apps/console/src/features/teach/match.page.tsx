import { MetricLink } from '../../components/metric-link';
import { Anchor, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Failed, PageSkeleton, RecordMissing } from '../../components/page-states';
import { Pairs } from '../../components/pairs';
import { Time } from '../../components/times';
import { ApiError, type Schema } from '../../lib/api';
import { useHotkeyList, type Hotkey } from '../../lib/hotkeys';
import { isolated } from '../../lib/isolated';
import { keepView } from '../../lib/keep-view';
import { useMayWrite } from '../../lib/me';
import { type ShapeScale } from '../../lib/shape';
import { rangeText, valueText } from '../../lib/numbers';
import { matchQuery } from './api/patterns';
import { JudgeButtons, useJudge, Verdict } from './parts/judge-buttons';
import { MatchOverlay } from './parts/match-overlay';
import { patternName } from './parts/pattern-state';
import { ScaleSwitch } from './parts/scale-switch';
import { type ScaleSearch } from './teach-search';
import { texts } from './teach.texts';
import classes from './teach.module.css';

export function MatchPage() {
  const { matchId } = useParams({ strict: false });
  const id = Number(matchId);
  const isId = Number.isInteger(id) && id > 0;
  const answer = useQuery({ ...matchQuery(id), enabled: isId });
  if (!isId || (answer.error instanceof ApiError && answer.error.status === 404)) {
    return <RecordMissing kind="match" id={matchId ?? ''} />;
  }
  if (answer.isPending) return <PageSkeleton />;
  return (
    <div className={classes.page}>
      {answer.isError && !answer.data && <Title order={1}>{texts.oneMatch(id)}</Title>}
      {answer.isError && (
        <Failed error={answer.error} onRetry={() => void answer.refetch()} isOld={answer.data !== undefined} />
      )}
      {answer.data && <Loaded match={answer.data.match} pattern={answer.data.pattern} />}
    </div>
  );
}

function Loaded({ match, pattern }: { match: Schema<'MatchDto'>; pattern: Schema<'PatternDto'> }) {
  const search: ScaleSearch = useSearch({ strict: false });
  const scale: ShapeScale = search.scale ?? 'shared';
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const judging = useJudge();
  const { mutate } = judging;
  const hotkeys = useMemo<Hotkey[]>(() => {
    const group = texts.groupPage;
    if (!mayWrite) return [];
    return [
      { keys: 'y', label: texts.yes, group, run: () => mutate({ match, valid: true }) },
      { keys: 'n', label: texts.no, group, run: () => mutate({ match, valid: false }) },
    ];
  }, [mayWrite, mutate, match]);
  useHotkeyList(hotkeys);
  return (
    <>
      <div>
        <Title order={1}>{texts.matchTitle(isolated(match.metric))}</Title>
        <Text size="sm">
          <bdi>{match.explanation}</bdi>
        </Text>
      </div>
      <div className={classes.columns}>
        <div className={classes.block}>
          <Group justify="flex-end">
            <ScaleSwitch
              value={scale}
              onChange={(next) =>
                void navigate({
                  to: '.',
                  search: (current: Record<string, unknown>) => ({
                    ...current,
                    scale: next === 'own' ? next : undefined,
                  }),
                  replace: true,
                  resetScroll: false,
                } as never)
              }
            />
          </Group>
          <MatchOverlay id={match.id} height={260} scale={scale} />
        </div>
        <div className={classes.block}>
          <Text size="sm">{texts.judgeHint}</Text>
          {mayWrite ? (
            <JudgeButtons match={match} judging={judging} />
          ) : (
            <Text size="sm" className="dim">
              {texts.readOnly}
            </Text>
          )}
          <Verdict validated={match.validated} />
          <Pairs
            pairs={[
              { name: texts.when, value: <Time at={match.timestamp} /> },
              {
                name: texts.pattern,
                value: (
                  <Anchor size="sm" component={Link} to={`/pattern/${String(pattern.id)}`} search={keepView as never}>
                    <bdi>{patternName(pattern)}</bdi>
                  </Anchor>
                ),
              },
              {
                name: texts.kindOf,
                value: `${texts.matchTypes[match.match_type]}, ${texts.alike(Math.floor(100 * match.similarity))}`,
              },
              { name: texts.value, value: valueText(match.value, match.unit) },
              {
                name: texts.expectedRange,
                value: rangeText(match.expected_range_lower, match.expected_range_upper, match.unit) ?? valueText(null),
              },
              { name: texts.would, value: texts.scorePercent(Math.round(100 * match.score)) },
              { name: texts.metric, value: <MetricLink metric={match.metric} /> },
              match.anomaly_id === null
                ? null
                : {
                    name: texts.becameAnomaly,
                    value: (
                      <Anchor
                        size="sm"
                        component={Link}
                        to={`/anomaly/${String(match.anomaly_id)}`}
                        search={keepView as never}
                      >
                        {texts.anomaly}
                      </Anchor>
                    ),
                  },
            ]}
          />
        </div>
      </div>
    </>
  );
}
