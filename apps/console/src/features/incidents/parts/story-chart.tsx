import { Button, SegmentedControl, Skeleton, Text, Title, Tooltip } from '@mantine/core';
import { useElementSize, useInViewport, useMergedRef } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { texts as shared } from '../../../components/components.texts';
import { MetricName } from '../../../components/metric-name';
import { Failed } from '../../../components/page-states';
import { SeverityMark } from '../../../components/severity';
import { Sparkline } from '../../../components/sparkline';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { kindText } from '../../../lib/kinds';
import { valueText } from '../../../lib/numbers';
import { useRowKeys } from '../../../lib/row-keys';
import { timeText } from '../../../lib/time';
import { timeTicks } from '../../../lib/time-ticks';
import { useZone } from '../../../lib/zone';
import { type MemberLine, memberQuery } from '../api/incidents.queries';
import { type Member, valueAt } from '../members';
import { texts } from '../incidents.texts';
import { kindOfMark, marksOf, type StoryEntry } from '../story';
import { StoryIcon } from './story-icon';
import classes from '../incident.module.css';

export const SHOWN_AT_FIRST = 12;
const TICK_ROOM = 84;
const HEIGHT = 48;
/** Minimum distance of marks, pixels: closer marks would overlap. */
const MARKS_APART = 30;
/** Half of the width of a time label, pixels. */
const LABEL_REACH = 18;

interface Window {
  from: number;
  until: number;
}

type Origin = Schema<'IncidentDto'>['origins'][number];

interface StoryChartProps {
  /** In the displayed order. */
  members: readonly Member[];
  origins: readonly Origin[];
  entries: readonly StoryEntry[];
  /** An entry as text, including its time. */
  textOf: (entry: StoryEntry) => string;
  window: Window;
  /** Start and end of the incident, if these are drawn through all rows. Unix seconds. */
  edges: readonly number[];
  span: 'around' | 'page';
  onSpan: (span: 'around' | 'page') => void;
  isWhole: boolean;
  onWhole: (isWhole: boolean) => void;
  markedAnomalyId: number | undefined;
  onEntry: (entry: StoryEntry) => void;
}

/**
 * An incident on one time axis, with the full width of the page: its events as marks, and its metrics below each other.
 * The pointer shows the values of all metrics at the same time; j and k move between the metrics, Enter opens one.
 */
export function StoryChart(props: StoryChartProps) {
  const { members, origins, window, edges, markedAnomalyId, isWhole, onWhole } = props;
  const zone = useZone();
  const [at, setAt] = useState<number | null>(null);
  const axis = useRef<HTMLDivElement>(null);
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(axis, sized);
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list, shared.rows);
  const { from, until } = window;
  const read = (event: PointerEvent): void => {
    const box = axis.current?.getBoundingClientRect();
    const part = box ? (event.clientX - box.left) / box.width : -1;
    setAt(part >= 0 && part <= 1 ? Math.round(from + part * (until - from)) : null);
  };
  const guides = useMemo(
    () => ({
      ticks: width === 0 ? [] : timeTicks({ from, until }, zone, Math.floor(width / TICK_ROOM)),
      edges: edges.filter((edge) => edge >= from && edge <= until),
    }),
    [from, until, zone, width, edges],
  );
  const place = (time: number): string => `${String(((time - from) / (until - from)) * 100)}%`;
  const hasRoom = (time: number): boolean => {
    const x = ((time - from) / (until - from)) * width;
    return x > LABEL_REACH && x < width - LABEL_REACH;
  };
  const shown = isWhole ? members : members.slice(0, SHOWN_AT_FIRST);
  // The origin is only named if there are other metrics.
  const origin = members.length > 1 ? origins.find(({ rank }) => rank === 1) : undefined;
  return (
    <section aria-labelledby="story">
      <div className={classes.head}>
        <Title order={2} id="story">
          {texts.story}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={texts.spanLabel}
          value={props.span}
          onChange={(value) => props.onSpan(value === 'page' ? 'page' : 'around')}
          data={[
            { value: 'around', label: texts.around },
            { value: 'page', label: texts.pageWindow },
          ]}
        />
      </div>
      <Text size="xs" className="dim" mb={4}>
        {texts.storyNote}
      </Text>
      <div className={classes.story} onPointerMove={read} onPointerLeave={() => setAt(null)}>
        <div className={classes.member} data-axis>
          <span />
          <div ref={ref} className={classes.axis} aria-hidden="true">
            {at === null ? (
              guides.ticks.map((tick) => (
                <span key={tick.at} style={{ left: place(tick.at) }} hidden={!hasRoom(tick.at)}>
                  {tick.label}
                </span>
              ))
            ) : (
              <span style={{ left: `clamp(40px, ${place(at)}, calc(100% - 40px))` }}>{timeText(at, zone)}</span>
            )}
          </div>
        </div>
        <div className={classes.member}>
          <span className={classes.laneName}>{texts.events}</span>
          <div className={classes.events}>
            <Guides guides={guides} place={place} at={at} />
            {width > 0 && <Marks {...props} width={width} />}
          </div>
        </div>
        <ul className={classes.members} ref={list} aria-label={texts.membersLabel}>
          {shown.map((member) => (
            <MemberRow
              key={member.metricId}
              member={member}
              window={window}
              width={width}
              at={at}
              origin={origin?.metric_id === member.metricId ? origin : undefined}
              isMarked={member.anomalies.some(({ id }) => id === markedAnomalyId)}
            >
              <Guides guides={guides} place={place} at={at} />
            </MemberRow>
          ))}
        </ul>
      </div>
      {members.length > SHOWN_AT_FIRST && (
        <Button variant="default" mt="xs" onClick={() => onWhole(!isWhole)}>
          {isWhole ? texts.showFew(SHOWN_AT_FIRST) : texts.showAll(members.length)}
        </Button>
      )}
    </section>
  );
}

/** Lines through a row: round times, the edges of the incident, and the time under the pointer. */
function Guides({
  guides,
  place,
  at,
}: {
  guides: { ticks: readonly { at: number }[]; edges: readonly number[] };
  place: (time: number) => string;
  at: number | null;
}) {
  return (
    <>
      {guides.ticks.map((tick) => (
        <span key={tick.at} className={classes.tick} style={{ left: place(tick.at) }} />
      ))}
      {guides.edges.map((edge) => (
        <span key={edge} className={classes.edge} style={{ left: place(edge) }} />
      ))}
      {at !== null && <span className={classes.hair} style={{ left: place(at) }} />}
    </>
  );
}

function Marks({ entries, window, width, textOf, onEntry }: StoryChartProps & { width: number }) {
  const marks = useMemo(() => marksOf(entries, window, { width, apart: MARKS_APART }), [entries, window, width]);
  return (
    <ul className={classes.marks} aria-label={texts.marksLabel}>
      {marks.map((mark) => {
        const kind = kindOfMark(mark);
        const { entries: marked, place } = mark;
        const lines = marked.map(textOf);
        const label = lines.length === 1 ? lines[0]! : [texts.countedEvents(lines.length), ...lines].join('\n');
        return (
          <li key={marked[0]!.key} style={{ left: `${String(place * 100)}%` }}>
            <Tooltip
              label={label}
              multiline
              maw={420}
              openDelay={60}
              events={{ hover: true, focus: true, touch: true }}
            >
              <button
                type="button"
                className={classes.mark}
                data-kind={kind}
                aria-label={label}
                onClick={() => onEntry(marked.find((entry) => entry.kind === kind)!)}
              >
                <StoryIcon kind={kind} />
                {marked.length > 1 && <span className={classes.markCount}>{marked.length}</span>}
              </button>
            </Tooltip>
          </li>
        );
      })}
    </ul>
  );
}

function MemberRow({
  member,
  window,
  width,
  at,
  origin,
  isMarked,
  children,
}: {
  member: Member;
  window: Window;
  width: number;
  at: number | null;
  origin: Origin | undefined;
  isMarked: boolean;
  children: React.ReactNode;
}) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [wasVisible, setWasVisible] = useState(false);
  if (inViewport && !wasVisible) setWasVisible(true);
  const { data, error, refetch } = useQuery({ ...memberQuery(member.metricId, window), enabled: wasVisible });
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  const worst = member.anomalies.reduce((a, b) => (b.severity > a.severity ? b : a));
  return (
    <li className={classes.member} data-marked={isMarked || undefined} data-row-box ref={row}>
      <div className={classes.name}>
        <SeverityMark severity={worst.severity_label} withText={false} />
        <div>
          <Link
            to="/anomaly/$anomalyId"
            params={{ anomalyId: String(member.anomalies[0]!.id) }}
            search={keepView as never}
            className="mono"
            data-row={member.metricId}
          >
            <MetricName name={member.metric} lines={3} />
          </Link>
          <div className={classes.value}>
            {at === null || !data ? (
              <>
                {kindText(worst.kind)}, {texts.peak(valueText(worst.peak_value, worst.unit))}
              </>
            ) : (
              <AtTime at={at} value={valueText(valueAt(data.line.points, at), data.unit)} />
            )}
            {data && !data.line.hasRange && `, ${texts.notAvailable}`}
          </div>
          {origin && (
            <strong
              className={classes.origin}
              title={texts.beganItWhy(texts.percent(origin.likelihood), origin.reason)}
            >
              {texts.beganIt}
            </strong>
          )}
        </div>
      </div>
      <div ref={ref} className={classes.line}>
        {children}
        {error && !data && <Failed error={error} onRetry={() => void refetch()} isOld={false} />}
        {!data && !error && <Skeleton height={HEIGHT} aria-busy={wasVisible} />}
        {data && width > 0 && <Line member={member} line={data.line} window={window} width={width} />}
      </div>
    </li>
  );
}

function AtTime({ at, value }: { at: number; value: string }) {
  return texts.atTime(timeText(at, useZone()), value);
}

const Line = memo(function Line({
  member,
  line,
  window: { from, until },
  width,
}: {
  member: Member;
  line: MemberLine;
  window: Window;
  width: number;
}) {
  // Every picture includes the edges, so that all have the same axis, even if a metric has no points there.
  const pad = <Value,>(values: readonly Value[], edge: Value): Value[] =>
    values.length === 0 ? [] : [edge, ...values, edge];
  const isInside = (_: unknown, i: number): boolean => {
    const at = line.points[i]?.[0] ?? 0;
    return at >= from && at <= until;
  };
  const columns = member.anomalies.filter(
    ({ timestamp, out_until_timestamp: end }) => timestamp <= until && (end ?? until) >= from,
  );
  return (
    <>
      <Sparkline
        points={[[from, null], ...line.points.filter(isInside), [until, null]]}
        lower={pad(line.lower.filter(isInside), null)}
        upper={pad(line.upper.filter(isInside), null)}
        anomalies={columns.map(({ timestamp, out_until_timestamp, severity_label }) => ({
          from: timestamp,
          until: out_until_timestamp,
          severity: severity_label,
        }))}
        width={Math.floor(width)}
        height={HEIGHT}
        label={texts.memberLabel(member.metric)}
      />
      {columns.map(({ id, timestamp, severity_label: severity }) => (
        <span
          key={id}
          className={classes.columnMark}
          style={{ left: `${String(Math.max(0, (timestamp - from) / (until - from)) * 100)}%` }}
        >
          <SeverityMark severity={severity} withText={false} />
        </span>
      ))}
    </>
  );
});
