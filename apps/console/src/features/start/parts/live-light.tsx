import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Failed } from '../../../components/page-states';
import { useNow } from '../../../lib/now';
import { agoText, durationText } from '../../../lib/time';
import { arrivalQuery, newestQuery } from '../api/start';
import { readinessOf } from '../readiness';
import { texts } from '../start.texts';
import classes from './start.module.css';

/** Points with an interval of a minute arrive once a minute: ten missing ones are not a coincidence. */
const SILENT_SECONDS = 600;

/** Switches from waiting to receiving automatically. */
export function LiveLight() {
  const arrival = useQuery(arrivalQuery);
  const newest = useQuery(newestQuery);
  const client = useQueryClient();
  const now = useNow();
  const total = arrival.data?.total ?? 0;
  // The list of metrics is rarely polled: a new metric need not wait for that.
  useEffect(() => {
    if (total > 0) void client.invalidateQueries({ queryKey: newestQuery.queryKey });
  }, [client, total]);
  if (!arrival.data)
    return arrival.error ? <Failed error={arrival.error} isOld={false} /> : <Light state="waiting" text="…" />;
  if (total === 0) return <Light state="waiting" text={texts.waiting} hint={texts.waitingHint} />;
  const last = arrival.data.metrics[0]?.last_timestamp ?? now;
  if (now - last > SILENT_SECONDS) return <Light state="silent" text={texts.silent(total, durationText(now - last))} />;
  const { learning, live, next } = readinessOf(newest.data?.metrics ?? [], now);
  const judged = learning + live;
  const parts = [
    ...(judged > 0 ? [texts.judged(judged)] : []),
    ...(next === null
      ? []
      : [(judged > 0 ? texts.judgedNext : texts.noneJudged)(next.count, durationText(next.at - now))]),
  ];
  const hint = [texts.lastPoint(agoText(last, now)), ...(parts.length > 0 ? [`${parts.join(', ')}.`] : [])].join(' ');
  return <Light state="receiving" text={texts.receiving(total)} hint={hint} />;
}

function Light({ state, text, hint }: { state: 'waiting' | 'receiving' | 'silent'; text: string; hint?: string }) {
  return (
    <div className={classes.light} role="status">
      <span className={classes.dot} data-state={state} />
      <div>
        <Text fw={600} size="sm">
          {text}
        </Text>
        {hint !== undefined && (
          <Text size="xs" className="dim">
            {hint}
          </Text>
        )}
      </div>
    </div>
  );
}
