import { MetricName } from '../../components/metric-name';
import { RecordPage, recordId } from '../../components/record-page';
import { Anchor, Button, Group, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { severityLabel } from '#libs/contracts';
import { texts as shared } from '../../components/components.texts';
import { Empty } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { Ago, Time } from '../../components/times';
import { type Schema } from '../../lib/api';
import { deliveriesSearch } from '../../lib/deliveries-link';
import { isolated } from '../../lib/isolated';
import { keepView } from '../../lib/keep-view';
import { useMayWrite } from '../../lib/me';
import { countText, valueText } from '../../lib/numbers';
import { durationText } from '../../lib/time';
import { texts } from './alerts.texts';
import { useDeleteWatcher, useRestoreWatcher } from './api/watcher-acts';
import { watcherQuery } from './api/watchers';
import { DeliveryTable } from './parts/delivery-table';
import { PauseButton } from './parts/pause-button';
import { TestAlert } from './parts/test-alert';
import { Watched } from './parts/watched';
import { conditionsOf, destinationsOf } from './watcher-text';

const MAX_METRICS = 20;

/** One watcher: its settings, and its messages. */
export function WatcherPage() {
  const { watcherId } = useParams({ strict: false });
  const id = recordId(watcherId);
  const query = useQuery({ ...watcherQuery(id ?? 0), enabled: id !== null });
  return (
    <RecordPage
      id={id}
      record={{ kind: 'watcher', id: watcherId ?? '' }}
      query={query}
      title={texts.one(watcherId ?? '')}
    >
      {(answer) => <Watcher answer={answer} />}
    </RecordPage>
  );
}

function Watcher({ answer: { watcher, metrics, alerts } }: { answer: Schema<'WatcherAnswerDto'> }) {
  const mayWrite = useMayWrite();
  return (
    <>
      <Anchor size="xs" renderRoot={(props: object) => <Link {...props} to="/alerts" search={keepView as never} />}>
        {texts.all}
      </Anchor>
      <Title order={1}>
        <bdi>{watcher.name}</bdi>
      </Title>
      <Text size="sm" component="div" my={6}>
        <Group gap="xs">
          <PauseButton watcher={watcher} />
          {!mayWrite && <span className="dim">{shared.demoReads}</span>}
          {watcher.deleted && <strong>{texts.deleted}</strong>}
          {mayWrite && <Acts watcher={watcher} />}
        </Group>
      </Text>
      {mayWrite && !watcher.deleted && <TestAlert watcherId={watcher.id} />}
      <Details watcher={watcher} metrics={metrics} />
      <Title order={2} mt="lg" mb={4}>
        {texts.deliveries}
      </Title>
      {alerts.some(({ channel }) => channel === 'demo') && (
        <Text size="sm" className="dim" mb={4}>
          {texts.demoNote}
        </Text>
      )}
      {alerts.length === 0 ? (
        <Empty title={texts.noDeliveries} />
      ) : (
        <>
          <DeliveryTable deliveries={alerts} label={texts.deliveries} hasWatcher={false} />
          <Text size="sm" mt={6}>
            <Link to="/alerts/deliveries" search={deliveriesSearch({ watcher: watcher.id }) as never}>
              {texts.allDeliveries}
            </Link>
          </Text>
        </>
      )}
    </>
  );
}

/** Editing it, and deleting or restoring it. */
function Acts({ watcher }: { watcher: Schema<'WatcherDto'> }) {
  const remove = useDeleteWatcher();
  const restore = useRestoreWatcher();
  if (watcher.deleted) {
    return (
      <Button variant="default" size="compact-xs" loading={restore.isPending} onClick={() => restore.mutate(watcher)}>
        {texts.restore}
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        renderRoot={(props: object) => (
          <Link
            {...props}
            to="/watchers/$watcherId/edit"
            params={{ watcherId: String(watcher.id) }}
            search={keepView as never}
          />
        )}
      >
        {texts.edit}
      </Button>
      <Button variant="default" size="compact-xs" loading={remove.isPending} onClick={() => remove.mutate(watcher)}>
        {texts.remove}
      </Button>
    </>
  );
}

function Details({ watcher, metrics }: { watcher: Schema<'WatcherDto'>; metrics: readonly string[] }) {
  const { budget } = watcher;
  const destinations = destinationsOf(watcher);
  return (
    <Table maw={900} aria-label={texts.details}>
      <Table.Tbody>
        <Detail name={texts.columns.watches}>
          <Watched watcher={watcher} />
        </Detail>
        <Detail name={texts.columns.when}>{conditionsOf(watcher).join(', ')}</Detail>
        <Detail name={texts.columns.to}>
          {destinations.length === 0 ? texts.noChannel : destinations.map(isolated).join(', ')}
        </Detail>
        <Detail name={texts.again}>{texts.atMost(durationText(watcher.expiration_seconds))}</Detail>
        <Detail name={texts.budget}>
          {budget
            ? texts.budgetText(
                valueText(budget.wanted),
                // Replayed messages do not count against a budget.
                budget.achieved_4_weeks === null || watcher.demo_mailbox ? null : valueText(budget.achieved_4_weeks),
                budget.severity_in_effect,
                severityLabel(budget.severity_in_effect),
              )
            : texts.noBudget}
        </Detail>
        <Detail name={texts.columns.week}>{countText(watcher.alerts_last_7_days)}</Detail>
        <Detail name={texts.columns.last}>
          {watcher.last_alert_timestamp === null ? texts.never : <Ago at={watcher.last_alert_timestamp} />}
        </Detail>
        <Detail name={texts.created}>
          <Time at={watcher.created_timestamp} />
        </Detail>
        <Detail name={texts.watchedMetrics}>
          {metrics.length === 0 && texts.noMetrics}
          {metrics.slice(0, MAX_METRICS).map((metric) => (
            <div key={metric}>
              <Link
                to="/metric/$metricName"
                params={{ metricName: metric }}
                search={keepView as never}
                className={`mono ${rows.link ?? ''}`}
              >
                <MetricName name={metric} />
              </Link>
            </div>
          ))}
          {watcher.metrics_count > MAX_METRICS && (
            <span className="dim">{texts.moreMetrics(watcher.metrics_count - MAX_METRICS)}</span>
          )}
        </Detail>
      </Table.Tbody>
    </Table>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={{ base: 104, sm: 150 }} fw={400} className="dim" style={{ verticalAlign: 'top' }}>
        {name}
      </Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  );
}
