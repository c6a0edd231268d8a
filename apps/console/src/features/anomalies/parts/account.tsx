import { Anchor, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkline } from '../../../components/sparkline';
import { kindText } from '../../../lib/kinds';
import { dateText, lastedText, timeText } from '../../../lib/time';
import { metricQuery, sparklinesQuery } from '../api/series';
import { earlierQuery, summaryQuery } from '../api/neighbours';
import { countText, lookAlikeAmong, reasonsOf, textOf, windowAround, type AnomalyRecord } from '../anomaly-sentence';
import { texts } from '../anomaly.texts';
import classes from '../anomaly.module.css';

const LOOK_HEIGHT = 60;

/**
 * The limit that would not have alerted, how often the metric has anomalies, how many of the kind there were, and why
 * the anomaly was opened.
 */
export function Account({ anomaly, now }: { anomaly: AnomalyRecord; now: number }) {
  const summary = useQuery(summaryQuery(anomaly.metric));
  const metric = useQuery(metricQuery(anomaly.metric));
  const count = anomaly.kind === null ? 0 : (summary.data?.summary.by_kind[anomaly.kind] ?? 0);
  const since = metric.data?.metric.live_from_timestamp ?? null;
  const ofKind = since === null ? null : countText(anomaly.kind, count, Math.min(now - since, 365 * 86_400));
  return (
    <section className={classes.block}>
      <Text>
        {[textOf(anomaly, 'counterfactual'), textOf(anomaly, 'rarity'), ofKind]
          .filter((text) => text !== null)
          .join(' ')}
        {anomaly.unconfirmed ? ` ${texts.unconfirmed}` : ''}
      </Text>
      <Title order={2} size="h3">
        {texts.why}
      </Title>
      {reasonsOf(anomaly).map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
    </section>
  );
}

/** The earlier anomaly that is most similar to this one, with its picture. */
export function LookAlike({ anomaly, zone, now }: { anomaly: AnomalyRecord; zone: string; now: number }) {
  const text = textOf(anomaly, 'look_alike');
  const earlier = useQuery({ ...earlierQuery(anomaly.metric, anomaly.timestamp), enabled: text !== null });
  const found = text === null ? null : lookAlikeAmong(text, anomaly, earlier.data?.anomalies ?? []);
  const window = windowAround(found ?? anomaly, now);
  const lines = useQuery({ ...sparklinesQuery([anomaly.metric_id], window), enabled: found !== null });
  if (text === null) return null;
  const line = lines.data?.sparklines[0];
  return (
    <section className={classes.block}>
      <Title order={2} size="h3">
        {texts.lookAlike}
      </Title>
      <Text size="sm">{text}</Text>
      {found !== null && (
        <Anchor
          size="sm"
          component={Link}
          to={`/anomaly/${String(found.id)}`}
          search={(({ tz }: Record<string, unknown>) => ({ tz })) as never}
        >
          {timeText(found.timestamp, zone, now)}, {kindText(found.kind)}
          {found.out_until_timestamp === null ? '' : `, ${lastedText(found.out_until_timestamp - found.timestamp)}`}
        </Anchor>
      )}
      {(earlier.isPending || lines.isLoading) && <Skeleton height={found === null ? LOOK_HEIGHT + 26 : LOOK_HEIGHT} />}
      {line && found !== null && (
        <div className={classes.picture}>
          <Sparkline
            points={line.points as [number, number | null][]}
            lower={line.lower}
            upper={line.upper}
            anomalies={[{ from: found.timestamp, until: found.out_until_timestamp, severity: found.severity_label }]}
            width={400}
            height={LOOK_HEIGHT}
            label={texts.lookAlikePicture(dateText(found.timestamp, zone))}
          />
        </div>
      )}
    </section>
  );
}
