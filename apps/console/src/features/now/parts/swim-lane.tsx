import { Button, Group, Text, Tooltip } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { type CSSProperties, lazy, type MouseEvent, Suspense } from 'react';
import { texts as shared } from '../../../components/components.texts';
import { MetricName } from '../../../components/metric-name';
import { RowsSkeleton } from '../../../components/page-states';
import { keepView } from '../../../lib/keep-view';
import { useNow } from '../../../lib/now';
import { lastedText, timeText } from '../../../lib/time';
import { timeTicks } from '../../../lib/time-ticks';
import { type TimeWindow } from '../../../lib/window';
import { useZone } from '../../../lib/zone';
import { whatIs } from '../lane-text';
import { LANE_TONES, layoutLane, type Lane, type LaneBar, type LaneTone } from '../lanes';
import { texts } from '../now.texts';
import classes from '../now.module.css';

// Loaded on demand, because most users use the picture.
const LaneTable = lazy(() => import('./lane-table'));

/** Pixels: height of a lane, and the vertical centre of its bars. On narrow screens they are below the name. */
const BESIDE = { row: 32, middle: 16, isStacked: false };
const BELOW = { row: 48, middle: 40, isStacked: true };
type Place = typeof BESIDE;
const NARROW = '(max-width: 560px)';

export function useLanePlace(): Place {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) ? BELOW : BESIDE;
}

const AXIS = 20;
const BAR = 12;
/** Height of the area that reacts to the pointer. */
const REACH = 24;
const TICK_ROOM = 84;

/** Rows of metrics with their anomalies and matches over the window. */
export function SwimLane({
  lanes,
  window,
  isTable,
  onTable,
  note,
}: {
  lanes: readonly Lane[];
  window: TimeWindow;
  isTable: boolean;
  onTable: (isTable: boolean) => void;
  /** Additional information about the bars; may be empty. */
  note: string;
}) {
  return (
    <>
      <Group justify="space-between" gap="xs" mb={4} wrap="nowrap" align="start">
        <Group gap="4px 16px" mt={4}>
          {!isTable && <Legend />}
          {note !== '' && (
            <Text size="xs" className="dim">
              {note}
            </Text>
          )}
        </Group>
        <Button variant="subtle" color="gray" flex="none" onClick={() => onTable(!isTable)} aria-pressed={isTable}>
          {isTable ? texts.asPicture : texts.asTable}
        </Button>
      </Group>
      {isTable ? (
        <Suspense fallback={<RowsSkeleton rows={lanes.length} />}>
          <LaneTable lanes={lanes} window={window} />
        </Suspense>
      ) : (
        <Picture lanes={lanes} window={window} />
      )}
    </>
  );
}

/** The severities by the fill of their bars, in words. */
function Legend() {
  return (
    <ul className={classes.legend} aria-label={texts.lanesLegend}>
      {LANE_TONES.map((tone) => (
        <li key={tone}>
          <svg width={18} height={BAR} aria-hidden="true">
            <rect width={18} height={BAR} rx={2} fill={fillOf(tone)} />
          </svg>
          {tone === 'expected' ? texts.lanesExpected : shared.severity[tone]}
        </li>
      ))}
    </ul>
  );
}

const fillOf = (tone: LaneTone): string => (tone === 'expected' ? 'url(#lane-hatch)' : `var(--pl-${tone})`);

function Picture({ lanes, window }: { lanes: readonly Lane[]; window: TimeWindow }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const zone = useZone();
  const now = useNow();
  const { from, until } = window;
  const x = (at: number): number => ((at - from) / (until - from)) * width;
  const laid = useLanePlace();
  const height = AXIS + lanes.length * laid.row;
  const ticks = width === 0 ? [] : timeTicks({ from, until }, zone, Math.floor(width / TICK_ROOM));
  return (
    <div
      className={classes.lanes}
      data-stacked={laid.isStacked || undefined}
      style={{ '--row': `${String(laid.row)}px` } as CSSProperties}
    >
      <ul className={classes.names}>
        <li className={classes.axis} aria-hidden="true" />
        {lanes.map(({ metric }) => (
          <li key={metric} className={classes.name}>
            <Link to="/metric/$metricName" params={{ metricName: metric }} search={keepView as never} className="mono">
              <MetricName name={metric} lines={2} />
            </Link>
          </li>
        ))}
      </ul>
      <div ref={ref} style={{ minHeight: height }}>
        {width > 0 && (
          <svg
            className={classes.picture}
            height={height}
            viewBox={`0 0 ${String(width)} ${String(height)}`}
            preserveAspectRatio="none"
            role="group"
            aria-label={texts.lanesLabel}
          >
            <defs>
              <pattern id="lane-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="5" height="5" fill="var(--pl-soft)" />
                <path d="M0 0v5" stroke="var(--pl-info)" strokeWidth="2.4" />
              </pattern>
            </defs>
            {ticks.map(({ at, label }) => (
              <g key={at} aria-hidden="true">
                <path d={`M${x(at).toFixed(1)} ${String(AXIS)}V${String(height)}`} stroke="var(--pl-line)" />
                {x(at) > 14 && x(at) < width - 18 && (
                  <text x={x(at)} y={12} textAnchor="middle">
                    {label}
                  </text>
                )}
              </g>
            ))}
            {lanes.map((lane, i) => {
              const middle = AXIS + i * laid.row + laid.middle;
              return (
                <g key={lane.metric}>
                  <path d={`M0 ${String(middle)}H${width.toFixed(0)}`} stroke="var(--pl-line)" />
                  {layoutLane(lane, { from, until, now, width }).map((bar) => (
                    <Bar
                      key={`${bar.what}${String(bar.id)}`}
                      bar={bar}
                      metric={lane.metric}
                      middle={middle}
                      zone={zone}
                    />
                  ))}
                </g>
              );
            })}
            {now >= from && now <= until && (
              <path
                d={`M${x(now).toFixed(1)} ${String(AXIS - 4)}V${String(height)}`}
                stroke="var(--pl-dim)"
                aria-hidden="true"
              />
            )}
          </svg>
        )}
      </div>
    </div>
  );
}

function Bar({ bar, metric, middle, zone }: { bar: LaneBar; metric: string; middle: number; zone: string }) {
  const navigate = useNavigate();
  const now = useNow();
  const path = `/${bar.what}/${String(bar.id)}`;
  const text = texts.bar(
    whatIs(bar),
    metric,
    timeText(bar.from, zone),
    bar.until === null ? texts.stillOpen : timeText(bar.until, zone),
    lastedText((bar.until ?? now) - bar.from),
  );
  const open = (event: MouseEvent): void => {
    // The browser handles clicks that open other tabs and windows.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void navigate({ to: path, search: keepView } as never);
  };
  const y = middle - BAR / 2;
  const room = Math.max(bar.width, 12);
  return (
    <Tooltip label={text} multiline maw={360} openDelay={60}>
      <a href={path} aria-label={text} className={classes.bar} onClick={open}>
        <rect x={bar.x} y={y} width={bar.width} height={BAR} rx={2} fill={fillOf(bar.tone)} />
        <rect
          x={bar.x - (room - bar.width) / 2}
          y={middle - REACH / 2}
          width={room}
          height={REACH}
          fill="transparent"
        />
      </a>
    </Tooltip>
  );
}
