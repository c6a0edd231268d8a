import { keepView } from '../../lib/keep-view';
import { MetricLink } from '../../components/metric-link';
import { Anchor, Group, Skeleton, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { MetricName } from '../../components/metric-name';
import { Empty, Failed, PageSkeleton, RecordMissing, RowsSkeleton } from '../../components/page-states';
import { Pairs } from '../../components/pairs';
import { patternCurveQuery } from '../../components/pattern-shape';
import { EDGES_HEIGHT, ShapeOverlay, type OverlayCurve } from '../../components/shape-overlay';
import { Time } from '../../components/times';
import { ApiError, type Schema } from '../../lib/api';
import { useMayWrite } from '../../lib/me';
import { type ShapeScale } from '../../lib/shape';
import { countText } from '../../lib/numbers';
import { durationText, timeText } from '../../lib/time';
import { useZone } from '../../lib/zone';
import { matchQuery, patternMatchesQuery, patternQuery } from './api/patterns';
import { MatchList } from './parts/match-list';
import { PatternActions } from './parts/pattern-actions';
import { patternName, stateOf } from './parts/pattern-state';
import { ScaleSwitch } from './parts/scale-switch';
import { type ScaleSearch } from './teach-search';
import { texts } from './teach.texts';
import classes from './teach.module.css';

/** Maximum number of matches whose curves are drawn over the shape; each requires a call. */
const MAX_DRAWN = 12;
const SHAPE_HEIGHT = 220;
/** Heading, sentence and switch above the picture. */
const HEAD_HEIGHT = 60;

export function PatternPage() {
  const { patternId } = useParams({ strict: false });
  const id = Number(patternId);
  const isId = Number.isInteger(id) && id > 0;
  const answer = useQuery({ ...patternQuery(id), enabled: isId });
  if (!isId || (answer.error instanceof ApiError && answer.error.status === 404)) {
    return <RecordMissing kind="pattern" id={patternId ?? ''} />;
  }
  if (answer.isPending) return <PageSkeleton />;
  return (
    <div className={classes.page}>
      {answer.isError && !answer.data && <Title order={1}>{texts.noLabel(id)}</Title>}
      {answer.isError && (
        <Failed error={answer.error} onRetry={() => void answer.refetch()} isOld={answer.data !== undefined} />
      )}
      {answer.data && <Loaded key={id} pattern={answer.data.pattern} relatives={answer.data.relatives} />}
    </div>
  );
}

function Loaded({ pattern, relatives }: { pattern: Schema<'PatternDto'>; relatives: readonly Schema<'PatternDto'>[] }) {
  const mayWrite = useMayWrite();
  const matches = useQuery(patternMatchesQuery(pattern.id));
  const rows = matches.data?.matches ?? [];
  const curve = useQuery(patternCurveQuery(pattern.id));
  const state = stateOf(pattern);
  // If they appeared sequentially, they would push the content below down.
  const isPending = matches.isPending || curve.isPending;
  return (
    <>
      <div>
        <Title order={1}>
          <bdi>{patternName(pattern)}</bdi>
        </Title>
        <Text size="sm" className="dim">
          <span className="mono">
            <MetricName name={pattern.metric} />
          </span>
          , {durationText(pattern.duration)}, {texts.origin[pattern.origin]}
        </Text>
      </div>
      {isPending ? (
        <RowsSkeleton rows={10} height={48} />
      ) : (
        <div className={classes.columns}>
          <div className={classes.block}>
            <Overlay pattern={pattern} matches={rows.slice(0, MAX_DRAWN)} />
            <Title order={2}>{texts.matchesTitle}</Title>
            {matches.isError && (
              <Failed error={matches.error} onRetry={() => void matches.refetch()} isOld={matches.data !== undefined} />
            )}
            {matches.data && rows.length === 0 && <Empty title={texts.overlayText(0)}>{texts.stateText[state]}</Empty>}
            {rows.length > 0 && <MatchList matches={rows} hasMetric={false} />}
            {matches.data && matches.data.total > rows.length && (
              <Text size="xs" className="dim">
                {texts.more(matches.data.total - rows.length)}
              </Text>
            )}
          </div>
          <div className={classes.block}>
            {mayWrite ? (
              <PatternActions pattern={pattern} relatives={relatives} />
            ) : (
              <Text size="sm" className="dim">
                {texts.readOnly}
              </Text>
            )}
            <Facts pattern={pattern} />
            {relatives.length > 0 && (
              <>
                <Title order={2} size="h3">
                  {texts.relatives}
                </Title>
                <ul className={classes.rows}>
                  {relatives.map((other) => (
                    <li key={other.id} className={classes.short}>
                      <Anchor size="sm" component={Link} to={`/pattern/${String(other.id)}`} search={keepView as never}>
                        <bdi>{patternName(other)}</bdi>
                      </Anchor>
                      <span>{texts.states[stateOf(other)]}</span>
                      <span className="dim">{texts.origin[other.origin]}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </div>
        </div>
      )}
    </>
  );
}

/** The pattern with its latest matches drawn over it. */
function Overlay({ pattern, matches }: { pattern: Schema<'PatternDto'>; matches: readonly Schema<'MatchDto'>[] }) {
  const zone = useZone();
  const search: ScaleSearch = useSearch({ strict: false });
  const scale: ShapeScale = search.scale ?? 'shared';
  const navigate = useNavigate();
  const curve = useQuery(patternCurveQuery(pattern.id));
  const answers = useQueries({ queries: matches.map(({ id }) => matchQuery(id)) });
  const name = patternName(pattern);
  if (curve.isPending) return <Skeleton height={HEAD_HEIGHT + SHAPE_HEIGHT + EDGES_HEIGHT} />;
  if (!curve.data) return <Failed error={curve.error} onRetry={() => void curve.refetch()} isOld={false} />;
  // A motif is a part of the pattern: only whole shapes end at the end of the pattern.
  const drawn = answers.flatMap(({ data }): OverlayCurve[] =>
    data
      ? [
          {
            id: data.match.id,
            name: timeText(data.match.timestamp, zone),
            points: data.timeseries,
            tone: 'faint',
          },
        ]
      : [],
  );
  return (
    <section className={classes.block}>
      <Group justify="space-between" gap={8}>
        <div>
          <Title order={2}>{texts.overlay}</Title>
          <Text size="sm" className="dim">
            {texts.overlayText(drawn.length)}
          </Text>
        </div>
        <ScaleSwitch
          value={scale}
          onChange={(next) =>
            void navigate({
              to: '.',
              search: (current: Record<string, unknown>) => ({ ...current, scale: next === 'own' ? next : undefined }),
              replace: true,
              resetScroll: false,
            } as never)
          }
        />
      </Group>
      <ShapeOverlay
        curves={[{ id: 'pattern', name, points: curve.data.timeseries, tone: 'main' }, ...drawn]}
        label={texts.overlayLabel(name, drawn.length)}
        scale={scale}
        unit={pattern.unit}
        align="end"
        height={SHAPE_HEIGHT}
      />
    </section>
  );
}

function Facts({ pattern }: { pattern: Schema<'PatternDto'> }) {
  const state = stateOf(pattern);
  return (
    <Pairs
      pairs={[
        {
          name: texts.state,
          value: (
            <>
              {texts.states[state]}. <span className="dim">{texts.stateText[state]}</span>
            </>
          ),
        },
        { name: texts.metric, value: <MetricLink metric={pattern.metric} /> },
        { name: texts.rate, value: texts.rateText(pattern.match_rate_string) },
        { name: texts.wrong, value: countText(pattern.invalid_matches) },
        { name: texts.threshold, value: texts.scorePercent(Math.round(100 * pattern.similarity_threshold)) },
        {
          name: texts.lastMatch,
          value: pattern.last_match_timestamp === null ? texts.never : <Time at={pattern.last_match_timestamp} />,
        },
        {
          name: texts.created,
          value: (
            <>
              <Time at={pattern.created_timestamp} />, <bdi>{pattern.creator_user_display_name}</bdi>
            </>
          ),
        },
        pattern.anomaly_id === null
          ? null
          : {
              name: texts.itsAnomaly,
              value: (
                <Anchor
                  size="sm"
                  component={Link}
                  to={`/anomaly/${String(pattern.anomaly_id)}`}
                  search={keepView as never}
                >
                  <Time at={pattern.anomaly_timestamp} />
                </Anchor>
              ),
            },
      ]}
    />
  );
}
