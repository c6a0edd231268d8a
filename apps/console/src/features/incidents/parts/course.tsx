import { Button, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, useEffect, useState } from 'react';
import { AnomalyLink } from '../../../components/anomaly-link';
import { MetricName } from '../../../components/metric-name';
import { Failed } from '../../../components/page-states';
import { Time } from '../../../components/times';
import { type Schema } from '../../../lib/api';
import { deliveriesSearch } from '../../../lib/deliveries-link';
import { texts } from '../incidents.texts';
import { type StoryEntry } from '../story';
import { sentenceOf } from '../story-text';
import { StoryIcon } from './story-icon';
import classes from '../incident.module.css';

const ENTRIES_AT_FIRST = 30;
const ENTRIES_MORE = 150;

const entryId = (key: string): string => `story-${key}`;

interface CourseProps {
  incident: Schema<'IncidentDto'>;
  entries: readonly StoryEntry[];
  /** Key of the entry that gets the focus; a new object for each request. */
  chosen: { key: string } | null;
  /** Number of its metrics with an open anomaly. */
  openMetrics: number;
  messages: { shown: number; total: number };
  error: Error | null;
  onRetry: () => void;
  /** The reader for whom times are formatted. Unix seconds. */
  reader: { zone: string; now: number };
}

/** The events, as a list in order of time. */
export function Course({ incident, entries, chosen, openMetrics, messages, error, onRetry, reader }: CourseProps) {
  const [unfolded, setUnfolded] = useState(ENTRIES_AT_FIRST);
  const shown = Math.max(unfolded, entries.findIndex(({ key }) => key === chosen?.key) + 1);
  useEffect(() => {
    if (chosen) document.getElementById(entryId(chosen.key))?.focus();
  }, [chosen]);
  const more = Math.min(ENTRIES_MORE, entries.length - shown);
  return (
    <section aria-labelledby="course">
      <div className={classes.head}>
        <Title order={2} id="course">
          {texts.course}
        </Title>
        <Link
          to="/alerts/deliveries"
          search={deliveriesSearch({ incident: incident.id }, incident.started_timestamp) as never}
        >
          {texts.allMessages}
        </Link>
      </div>
      {error && <Failed error={error} onRetry={onRetry} isOld={messages.total > 0} />}
      <ol className={classes.course}>
        {entries.slice(0, shown).map((entry) => (
          <Entry key={entry.key} entry={entry} incident={incident} reader={reader} />
        ))}
        {more <= 0 && incident.state === 'open' && (
          <li className={classes.entry}>
            <span className={classes.when}>{texts.now}</span>
            <span />
            <span className="dim">{texts.stillOpen(openMetrics, incident.metrics_count)}</span>
          </li>
        )}
      </ol>
      {more > 0 && (
        <Button variant="default" onClick={() => setUnfolded(shown + more)}>
          {texts.more(more)}
        </Button>
      )}
      {messages.total > messages.shown && (
        <Text size="sm" className="dim" mt="xs">
          {texts.someMessages(messages.shown, messages.total)}
        </Text>
      )}
    </section>
  );
}

function Entry({
  entry,
  incident,
  reader,
}: {
  entry: StoryEntry;
  incident: Schema<'IncidentDto'>;
  reader: CourseProps['reader'];
}) {
  const { before, named, after } = sentenceOf(entry, incident, reader);
  return (
    <li className={classes.entry} id={entryId(entry.key)} tabIndex={-1} data-kind={entry.kind}>
      <span className={classes.when}>
        <Time at={entry.at} />
      </span>
      <StoryIcon kind={entry.kind} />
      <span>
        {before}
        {named.map(({ id, metric }, i) => (
          <Fragment key={id}>
            {i > 0 && ', '}
            <AnomalyLink anomalyId={id!} c="inherit" fz="inherit" className="mono">
              <MetricName name={metric} />
            </AnomalyLink>
          </Fragment>
        ))}
        {after}
      </span>
    </li>
  );
}
