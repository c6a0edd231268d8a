import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Schema } from '../../../lib/api';
import { useMe } from '../../../lib/me';
import { useNow } from '../../../lib/now';
import { exclusionsQuery } from '../api/exclusions';
import { blocksOf, calendarDays, type CalendarBlock, type Schedule, scheduleOf } from '../exclusion-calendar';
import classes from '../exclusion-calendar.module.css';
import { texts } from '../exclusions.texts';

const HOURS = [0, 6, 12, 18] as const;

interface Shown extends CalendarBlock {
  key: string;
  label: string;
  isDraft: boolean;
}

/**
 * Exclusions of the next two weeks, in the zone of the organisation; `draft`: the unsaved form, which replaces the
 * exclusion `instead`.
 */
export function ExclusionCalendar({ draft, instead }: { draft: Schedule | null; instead?: number }) {
  const zone = useMe().org.timezone;
  const now = useNow();
  const all = useQuery(exclusionsQuery(1)).data?.exclusions ?? [];
  const exclusions = all.filter(({ id }) => id !== instead);
  const days = calendarDays(now, zone);
  const shown = (day: (typeof days)[number]): Shown[] => [
    ...exclusions.flatMap((exclusion) =>
      blocksOf(scheduleOf(exclusion), day, zone).map((block, i) => ({
        ...block,
        key: `${String(exclusion.id)} ${String(i)}`,
        label: labelOf(exclusion),
        isDraft: false,
      })),
    ),
    ...(draft === null
      ? []
      : blocksOf(draft, day, zone).map((block, i) => ({
          ...block,
          key: `draft ${String(i)}`,
          label: texts.calendarDraft,
          isDraft: true,
        }))),
  ];
  return (
    <section aria-labelledby="exclusion-calendar" className={classes.calendar}>
      <Title order={3} id="exclusion-calendar">
        {texts.calendar}
      </Title>
      <Text size="xs" className="dim">
        {texts.zone(zone)}
      </Text>
      <div className={classes.head} aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour} style={{ left: `${String((100 * hour) / 24)}%` }}>
            {String(hour).padStart(2, '0')}
          </span>
        ))}
      </div>
      <ol className={classes.days}>
        {days.map((day, i) => {
          const blocks = shown(day);
          return (
            <li key={day.date} className={classes.day}>
              <span className={classes.date}>{dayText(day.date)}</span>
              <span className={classes.track}>
                {blocks.map(({ key, label, start, end, from, until, isDraft }) => (
                  <span
                    key={key}
                    className={classes.block}
                    data-draft={isDraft || undefined}
                    style={{ left: `${String(100 * start)}%`, width: `${String(100 * (end - start))}%` }}
                    title={texts.calendarBlock(from, until, label)}
                    role="img"
                    aria-label={texts.calendarBlock(from, until, label)}
                  />
                ))}
                {i === 0 && (
                  <span
                    className={classes.now}
                    style={{ left: `${String((100 * (now - day.from)) / (day.until - day.from))}%` }}
                  />
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const labelOf = ({ chips, type, reason }: Schema<'ExclusionDto'>): string =>
  `${chips.join('  ')}, ${texts.types[type]}${reason === '' ? '' : `: ${reason}`}`;

/** `Mon 30 Nov`. */
const dayText = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' })
    .format(Date.parse(`${date}T00:00:00Z`))
    .replace(',', '');
