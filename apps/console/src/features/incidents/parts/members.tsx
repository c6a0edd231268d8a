import { Button, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { useElementSize, useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { MetricName } from '../../../components/metric-name';
import { SeverityMark } from '../../../components/severity';
import { Sparkline } from '../../../components/sparkline';
import { keepView } from '../../../lib/keep-view';
import { kindText } from '../../../lib/kinds';
import { valueText } from '../../../lib/numbers';
import { timeText } from '../../../lib/time';
import { timeTicks } from '../../../lib/time-ticks';
import { useZone } from '../../../lib/zone';
import { memberQuery } from '../api/incidents.queries';
import { type Member, valueAt } from '../members';
import { words } from '../incidents.words';
import classes from '../incident.module.css';

const SHOWN_AT_FIRST = 50;
const TICK_ROOM = 84;
const HEIGHT = 44;

interface Window {
  from: number;
  until: number;
}

/** The metrics of an incident under each other on one time axis. The pointer reads all of them at one time. */
export function Members({
  members,
  window,
  span,
  onSpan,
  markedAnomalyId,
}: {
  members: readonly Member[];
  window: Window;
  span: 'around' | 'page';
  onSpan: (span: 'around' | 'page') => void;
  markedAnomalyId: number | undefined;
}) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const [at, setAt] = useState<number | null>(null);
  const { ref, width } = useElementSize<HTMLUListElement>();
  const { from, until } = window;
  const read = (event: PointerEvent): void => {
    const { left, width: wide } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - left) / wide;
    setAt(part >= 0 && part <= 1 ? Math.round(from + part * (until - from)) : null);
  };
  return (
    <section aria-labelledby="members">
      <div className={classes.head}>
        <Title order={2} id="members">
          {words.members}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={words.spanLabel}
          value={span}
          onChange={(value) => onSpan(value === 'page' ? 'page' : 'around')}
          data={[
            { value: 'around', label: words.around },
            { value: 'page', label: words.pageWindow },
          ]}
        />
      </div>
      <Text size="xs" className="dim" mb={4}>
        {words.membersNote}
      </Text>
      <Axis window={window} width={width} at={at} />
      <ul className={classes.members} ref={ref} onPointerMove={read} onPointerLeave={() => setAt(null)}>
        {members.slice(0, shown).map((member) => (
          <MemberRow
            key={member.metricId}
            member={member}
            window={window}
            width={width}
            at={at}
            isMarked={member.anomalies.some(({ id }) => id === markedAnomalyId)}
          />
        ))}
      </ul>
      {members.length > shown && (
        <Button variant="default" mt="xs" onClick={() => setShown(shown + SHOWN_AT_FIRST)}>
          {words.more(Math.min(SHOWN_AT_FIRST, members.length - shown))}
        </Button>
      )}
    </section>
  );
}

function Axis({ window, width, at }: { window: Window; width: number; at: number | null }) {
  const zone = useZone();
  const { from, until } = window;
  const x = (time: number): number => ((time - from) / (until - from)) * width;
  const ticks = width === 0 ? [] : timeTicks(window, zone, Math.floor(width / TICK_ROOM));
  const shown = at === null ? ticks : [{ at, label: timeText(at, zone) }];
  return (
    <svg
      className={classes.axis}
      viewBox={`0 0 ${String(Math.max(1, width))} 18`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {shown
        .filter((tick) => at !== null || (x(tick.at) > 16 && x(tick.at) < width - 16))
        .map((tick) => (
          <text key={tick.at} x={Math.max(40, Math.min(width - 40, x(tick.at)))} y={12} textAnchor="middle">
            {tick.label}
          </text>
        ))}
    </svg>
  );
}

function MemberRow({
  member,
  window,
  width,
  at,
  isMarked,
}: {
  member: Member;
  window: Window;
  width: number;
  at: number | null;
  isMarked: boolean;
}) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [wasSeen, setSeen] = useState(false);
  if (inViewport && !wasSeen) setSeen(true);
  const { data, error, refetch } = useQuery({ ...memberQuery(member.metricId, window), enabled: wasSeen });
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  const first = member.anomalies[0]!;
  const read = at ?? first.peak_timestamp;
  return (
    <li className={classes.member} data-marked={isMarked || undefined} ref={row}>
      <div className={classes.name}>
        <span>
          <SeverityMark severity={first.severity_label} withText={false} />{' '}
          <Link
            to="/anomaly/$anomalyId"
            params={{ anomalyId: String(first.id) }}
            search={keepView as never}
            className="mono"
          >
            <MetricName name={member.metric} />
          </Link>{' '}
          <span className="dim">
            {kindText(first.kind)}
            {data && !data.line.hasRange && `, ${words.notAvailable}`}
          </span>
        </span>
        <span className={classes.value}>
          {data && valueText(at === null ? first.peak_value : valueAt(data.line.points, read), data.unit)}
        </span>
      </div>
      <div ref={ref} className={classes.line}>
        {error && !data && <Failed error={error} onRetry={() => void refetch()} isOld={false} />}
        {!data && !error && <Skeleton height={HEIGHT} />}
        {data && width > 0 && <Line member={member} line={data.line} window={window} width={width} />}
        {at !== null && (
          <span
            className={classes.hair}
            style={{ left: `${String(((at - window.from) / (window.until - window.from)) * 100)}%` }}
          />
        )}
      </div>
    </li>
  );
}

const Line = memo(function Line({
  member,
  line,
  window,
  width,
}: {
  member: Member;
  line: { points: (readonly [number, number | null])[]; lower: (number | null)[]; upper: (number | null)[] };
  window: Window;
  width: number;
}) {
  // The edges belong to every picture: all have the same axis, also where a metric has no points there.
  const pad = <Value,>(values: readonly Value[], edge: Value): Value[] =>
    values.length === 0 ? [] : [edge, ...values, edge];
  const isInside = (_: unknown, i: number): boolean => {
    const at = line.points[i]?.[0] ?? 0;
    return at >= window.from && at <= window.until;
  };
  return (
    <Sparkline
      points={[[window.from, null], ...line.points.filter(isInside), [window.until, null]]}
      lower={pad(line.lower.filter(isInside), null)}
      upper={pad(line.upper.filter(isInside), null)}
      anomalies={member.anomalies.map(({ timestamp, until_timestamp, severity_label }) => ({
        from: timestamp,
        until: until_timestamp,
        severity: severity_label,
      }))}
      width={Math.floor(width)}
      height={HEIGHT}
      label={words.memberLabel(member.metric)}
    />
  );
});
