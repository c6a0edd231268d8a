import { Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { severityLabel } from '#libs/contracts';
import { Empty, Failed } from '../../../components/page-states';
import { SeverityMark } from '../../../components/severity';
import { Time } from '../../../components/times';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { inputText } from '../../../lib/time-input';
import { useMe } from '../../../lib/me';
import { replayQuery } from '../api/new-watcher';
import { type WatcherDraft, weeksOf } from '../new-watcher';
import classes from '../new-watcher.module.css';
import { words } from '../new-watcher.words';

const DEBOUNCE_MS = 400;
const MOST_ROWS = 40;

/** What the watcher would have sent in four weeks; while a new replay runs, the last one stays. */
export function WatcherReplay({ draft }: { draft: WatcherDraft }) {
  const [tried] = useDebouncedValue(draft, DEBOUNCE_MS);
  const replay = useQuery(replayQuery(tried));
  const hasChips = draft.chips.length > 0;
  return (
    <section className={classes.replay} aria-busy={hasChips && replay.isFetching} aria-labelledby="replay">
      <Title order={2} id="replay">
        {words.replay}
      </Title>
      {!hasChips && <Empty title={words.replayNeeds} />}
      {hasChips && replay.isPending && <Skeleton height={160} aria-label={words.replayLoading} />}
      {hasChips && replay.error && <Failed error={replay.error} onRetry={() => void replay.refetch()} />}
      {hasChips && replay.data && !replay.error && <Replayed replay={replay.data} />}
    </section>
  );
}

function Replayed({ replay }: { replay: Schema<'WatcherPreviewDto'> }) {
  const { metrics_count: metrics, alerts_count: sent, anomalies_count: anomalies, budget, truncated } = replay;
  const messages = replay.alerts.filter(({ would_alert: wouldAlert }) => wouldAlert);
  return (
    <>
      <Text size="sm">
        {metrics === 0 ? words.coversNone : `${words.covers(metrics)} ${words.would(sent, anomalies)}`}
        {budget && budget.severity_in_effect > 0 && ` ${words.severityInEffect(budget.severity_in_effect)}`}
      </Text>
      <Calendar replay={replay} />
      <Title order={3} mt="sm">
        {words.messages}
      </Title>
      {messages.length === 0 && (
        <Text size="sm" className="dim">
          {words.noMessages}
        </Text>
      )}
      <ul className={classes.messages}>
        {messages.slice(0, MOST_ROWS).map((message) => (
          <Message key={`${String(message.timestamp)} ${String(message.anomaly_id)}`} message={message} />
        ))}
      </ul>
      {(truncated || messages.length > MOST_ROWS) && (
        <Text size="xs" className="dim">
          {words.partial}
        </Text>
      )}
    </>
  );
}

function Message({
  message: { timestamp, metric, anomaly_id: id, severity },
}: {
  message: Schema<'PreviewedAlertDto'>;
}) {
  return (
    <li className={classes.message}>
      <SeverityMark severity={severityLabel(severity)} withText={false} />
      <span className={classes.time}>
        <Time at={timestamp} />
      </span>
      {id === null ? (
        <span className="mono">{metric}</span>
      ) : (
        <Link
          to="/anomaly/$anomalyId"
          params={{ anomalyId: String(id) }}
          search={keepView as never}
          className={`mono ${classes.metric ?? ''}`}
        >
          {metric}
        </Link>
      )}
    </li>
  );
}

/** A square for each day, a row for each week; the number is that of the messages. */
function Calendar({ replay }: { replay: Schema<'WatcherPreviewDto'> }) {
  const zone = useMe().org.timezone;
  const weeks = weeksOf(replay.per_day, inputText(replay.until, zone).slice(0, 10));
  return (
    <ul className={classes.calendar} aria-label={words.days}>
      {weeks.flat().map(({ date, sent, keptBack }) => {
        const text = words.day(date, sent, keptBack);
        return (
          <li key={date} className={classes.day} data-sent={sent > 0 || undefined} title={text}>
            <span aria-hidden="true">{sent > 0 ? sent : '·'}</span>
            <VisuallyHidden>{text}</VisuallyHidden>
          </li>
        );
      })}
    </ul>
  );
}
