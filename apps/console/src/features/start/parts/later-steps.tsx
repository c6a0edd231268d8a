import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { Empty, Failed, RowsSkeleton } from '../../../components/page-states';
import { SeverityMark } from '../../../components/severity';
import { Ago } from '../../../components/times';
import { type Schema } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { keepView } from '../../../lib/keep-view';
import { lastAnomaliesQuery, trainableQuery } from '../api/start';
import { texts } from '../start.texts';

function To({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} search={keepView as never} size="sm" underline="always">
      {children}
    </Anchor>
  );
}

export function AnomalyStep() {
  const anomalies = useQuery(lastAnomaliesQuery);
  if (anomalies.error && !anomalies.data)
    return <Failed error={anomalies.error} onRetry={() => void anomalies.refetch()} isOld={false} />;
  if (!anomalies.data) return <RowsSkeleton rows={2} />;
  const [newest] = anomalies.data.anomalies;
  if (!newest) return <Empty title={texts.anomalyNone}>{texts.anomalyNoneHint}</Empty>;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {texts.anomalyText} {texts.anomalyCount(anomalies.data.total)}
      </Text>
      <Group gap="sm">
        <SeverityMark severity={newest.severity_label} />
        <span className="mono">{newest.metric}</span>
        <Text size="sm" className="dim">
          <Ago at={newest.timestamp} />
        </Text>
        <To to={`/anomaly/${String(newest.id)}`}>{texts.anomalyOpen}</To>
      </Group>
      <To to="/anomalies">{texts.anomalyAll}</To>
    </Stack>
  );
}

export function TeachStep({ isDone }: { isDone: boolean }) {
  const trainable = useQuery(trainableQuery);
  const [candidate] = trainable.data?.anomalies ?? [];
  return (
    <Stack gap="xs">
      <Text size="sm">{isDone ? `${texts.teachDone} ${texts.teachText}` : texts.teachText}</Text>
      {candidate && <To to={`/anomaly/${String(candidate.id)}`}>{texts.teachOpen(isolated(candidate.metric))}</To>}
      <To to="/teach">{texts.teachLink}</To>
    </Stack>
  );
}

export function AlertStep({ steps }: { steps: readonly Schema<'ProgressStepDto'>[] }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{texts.alertText}</Text>
      {steps.flatMap(({ key, done }) => {
        const text = texts.alertSteps[key];
        return text === undefined
          ? []
          : [
              <Text key={key} size="sm" className="dim">
                {texts.openStep(text, done)}
              </Text>,
            ];
      })}
      <To to="/alerts">{texts.alertLink}</To>
    </Stack>
  );
}
