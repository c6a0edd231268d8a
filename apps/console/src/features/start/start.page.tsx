import { Accordion, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Failed, RowsSkeleton } from '../../components/page-states';
import { type Schema } from '../../lib/api';
import { arrivalQuery, lastAnomaliesQuery, newestQuery, progressQuery, tourQuery, trainableQuery } from './api/start';
import { orgInfoQuery } from '../../lib/org-info';
import { serviceConfigQuery } from '../../lib/service-config';
import { AlertStep, AnomalyStep, TeachStep } from './parts/later-steps';
import { LearnStep } from './parts/learn-step';
import { Jobs, Tour } from './parts/progress-part';
import { SendStep } from './parts/send-step';
import { type StartSearch, type StepId, STEPS } from './start-search';
import { texts } from './start.texts';
import classes from './parts/start.module.css';

/** From the first point to the first message: five steps, of which one is open. */
export function StartPage() {
  const arrival = useQuery(arrivalQuery);
  const anomalies = useQuery(lastAnomaliesQuery);
  const progress = useQuery(progressQuery);
  const { sender = 'http' }: StartSearch = useSearch({ strict: false });
  // The data of the steps and the tour is requested together, so that each of them keeps its position.
  const parts = [
    useQuery(newestQuery),
    useQuery(trainableQuery),
    useQuery(orgInfoQuery),
    useQuery(serviceConfigQuery(sender)),
    useQuery(tourQuery),
  ];
  const isPending = [arrival, anomalies, progress, ...parts].some((query) => query.isPending);
  const list = progress.data?.progress ?? [];
  const steps = list.find(({ type }) => type === 'onboarding')?.steps ?? [];
  const isTicked = (key: string): boolean => steps.some((step) => step.key === key && step.done);
  const done: Done = {
    send: (arrival.data?.total ?? 0) > 0,
    learn: isTicked('first_day'),
    anomaly: (anomalies.data?.total ?? 0) > 0,
    teach: isTicked('train_pattern'),
    alert: isTicked('create_watcher'),
  };
  return (
    <Stack gap="lg" className={classes.page}>
      <Title order={1}>{texts.title}</Title>
      {progress.error && (
        <Failed error={progress.error} onRetry={() => void progress.refetch()} isOld={progress.data !== undefined} />
      )}
      {isPending ? (
        <RowsSkeleton rows={12} height={48} />
      ) : (
        <>
          <Steps done={done} steps={steps} />
          <Jobs progress={list} />
          <Tour />
        </>
      )}
    </Stack>
  );
}

type Done = Readonly<Record<StepId, boolean>>;

function Steps({ done, steps }: { done: Done; steps: readonly Schema<'ProgressStepDto'>[] }) {
  const { step }: StartSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  // Kept in the state: a step that is completed while it is read stays open.
  const [first] = useState<StepId>(() => STEPS.find((id) => !done[id]) ?? 'send');
  const open = step ?? first;
  const contents: Readonly<Record<StepId, () => React.ReactNode>> = {
    send: () => <SendStep />,
    learn: () => <LearnStep />,
    anomaly: () => <AnomalyStep />,
    teach: () => <TeachStep isDone={done.teach} />,
    alert: () => <AlertStep steps={steps} />,
  };
  return (
    <Accordion
      order={2}
      value={open === 'none' ? null : open}
      onChange={(next) =>
        void navigate({
          to: '.',
          replace: true,
          search: (current: StartSearch) => ({ ...current, step: next ?? 'none' }),
        } as never)
      }
    >
      {STEPS.map((id, i) => (
        <Accordion.Item key={id} value={id}>
          <Accordion.Control icon={<StepMark number={i + 1} isDone={done[id]} />}>
            <Text fw={600} span>
              {texts.steps[id]}
            </Text>
            {done[id] && <VisuallyHidden>, {texts.done}</VisuallyHidden>}
          </Accordion.Control>
          <Accordion.Panel>{open === id && contents[id]()}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function StepMark({ number, isDone }: { number: number; isDone: boolean }) {
  return (
    <span className={classes.number} data-done={isDone || undefined} aria-hidden="true">
      {isDone ? (
        <svg viewBox="0 0 16 16" width="12" height="12" fill="none" stroke="currentColor" strokeWidth="2.2">
          <path d="M3 8.5 6.5 12 13 4.5" />
        </svg>
      ) : (
        number
      )}
    </span>
  );
}
