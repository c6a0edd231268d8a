import { Anchor, Checkbox, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failed, RowsSkeleton } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { tickStep, tourQuery } from '../api/start';
import { texts } from '../start.texts';
import classes from './start.module.css';

/** Running background work. */
export function Jobs({ progress }: { progress: readonly Schema<'ProgressDto'>[] }) {
  const running = progress.filter(
    ({ type, status }) => type !== 'onboarding' && type !== 'tour' && (status === 'running' || status === 'queued'),
  );
  if (running.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="xs">
        {texts.jobs}
      </Title>
      {running.map(({ id, title, percent, message }) => (
        <Stack key={id} gap={2} mb="xs">
          <Group justify="space-between">
            <Text size="sm">{title}</Text>
            <Text size="sm">{texts.percent(percent)}</Text>
          </Group>
          <Progress value={percent} size="sm" aria-label={title} />
          {message !== '' && (
            <Text size="xs" className="dim">
              {message}
            </Text>
          )}
        </Stack>
      ))}
    </section>
  );
}

/** The page of each step of the tour, by its key. */
const PLACES: Readonly<Record<string, string>> = {
  overview: '/',
  metric: '/metrics',
  incident: '/incidents',
  anomaly: '/anomalies',
  train: '/teach',
  match: '/teach',
  tune: '/teach',
  watcher: '/alerts',
};

/** The steps of the tour, ticked off once they have been seen. */
export function Tour() {
  const tour = useQuery(tourQuery);
  const client = useQueryClient();
  const tick = useMutation({
    mutationFn: tickStep,
    onSettled: () => client.invalidateQueries({ queryKey: ['progress'] }),
  });
  const [progress] = tour.data?.progress ?? [];
  if (tour.error && !progress) return <Failed error={tour.error} onRetry={() => void tour.refetch()} isOld={false} />;
  if (!progress) return <RowsSkeleton rows={8} />;
  const { id, steps } = progress;
  const isTicked = ({ key, done }: Schema<'ProgressStepDto'>): boolean =>
    tick.isPending && tick.variables.step === key ? tick.variables.done : done;
  const set = (step: string, done: boolean): void => {
    if (id !== null) tick.mutate({ id, step, done });
  };
  return (
    <section>
      <Group justify="space-between">
        <Title order={2}>{texts.tour}</Title>
        <Text size="sm" className="dim">
          {texts.tourText(steps.filter(isTicked).length, steps.length)}
        </Text>
      </Group>
      {tick.error && <Failed error={tick.error} />}
      <ol className={classes.tour}>
        {steps.map((step) => (
          <li key={step.key}>
            <Checkbox
              size="xs"
              label={step.title}
              checked={isTicked(step)}
              disabled={id === null}
              onChange={(event) => set(step.key, event.currentTarget.checked)}
            />
            <Anchor
              component={Link}
              to={PLACES[step.key] ?? '/'}
              search={keepView as never}
              size="sm"
              onClick={() => {
                if (!step.done) set(step.key, true);
              }}
              aria-label={`${texts.look}: ${step.title}`}
            >
              {texts.look}
            </Anchor>
          </li>
        ))}
      </ol>
    </section>
  );
}
