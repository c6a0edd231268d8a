import { Button, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useRef } from 'react';
import { texts as shared } from '../../../components/components.texts';
import rows from '../../../components/rows.module.css';
import { Time } from '../../../components/times';
import { type Schema } from '../../../lib/api';
import { type Hotkey } from '../../../lib/hotkeys';
import { keepView } from '../../../lib/keep-view';
import { useMayWrite } from '../../../lib/me';
import { useNow } from '../../../lib/now';
import { rowInFocus, useRowKeys } from '../../../lib/row-keys';
import { agoText } from '../../../lib/time';
import { useRetryDelivery } from '../api/deliveries';
import classes from '../deliveries.module.css';
import { texts } from '../deliveries.texts';
import { StateMark } from './state-mark';

/** A message, with data that only the list of deliveries has. */
export type ShownDelivery = Schema<'AlertDeliveryDto'> &
  Partial<Pick<Schema<'DeliveryDto'>, 'incident_id' | 'next_attempt_timestamp'>>;

/** Messages with their outcomes; those that failed can be sent again. */
export function DeliveryTable({
  deliveries,
  label,
  hasWatcher = true,
}: {
  deliveries: readonly ShownDelivery[];
  label: string;
  /** False if all messages belong to one watcher. */
  hasWatcher?: boolean;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const mayWrite = useMayWrite();
  const { mutate, isPending, variables } = useRetryDelivery();
  const failed = useMemo(
    () => new Set(deliveries.filter(({ state }) => state === 'failed').map(({ id }) => String(id))),
    [deliveries],
  );
  const keys = useMemo<Hotkey[]>(
    () =>
      mayWrite && failed.size > 0
        ? [
            {
              keys: 'r',
              label: texts.keyRetry,
              group: texts.group,
              run: () => {
                const id = rowInFocus(body.current);
                if (id !== undefined && failed.has(id)) mutate(Number(id));
              },
            },
          ]
        : [],
    [failed, mayWrite, mutate],
  );
  useRowKeys(body, shared.rows, keys);
  return (
    <Table aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.time}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.state}</Table.Th>
          <Table.Th>{texts.columns.message}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.channel}</Table.Th>
          {hasWatcher && <Table.Th visibleFrom="md">{texts.columns.watcher}</Table.Th>}
          <Table.Th visibleFrom="sm">{texts.columns.why}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {deliveries.map((delivery) => (
          <Table.Tr key={delivery.id} className={rows.row} data-row-box>
            <Table.Td className={rows.when}>
              <Time at={delivery.timestamp} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <State delivery={delivery} />
            </Table.Td>
            <Table.Td>
              <About delivery={delivery} />
              <Phase delivery={delivery} />
              {/* If there is no space for separate columns. */}
              <Text size="xs" hiddenFrom="sm" component="div">
                <State delivery={delivery} />{' '}
                <span className="dim">
                  <To delivery={delivery} /> <Why delivery={delivery} />
                </span>
              </Text>
              {delivery.state === 'failed' && mayWrite && (
                <Button
                  variant="default"
                  size="compact-xs"
                  ml={8}
                  loading={isPending && variables === delivery.id}
                  aria-label={texts.retryOf(delivery.title)}
                  onClick={() => mutate(delivery.id)}
                >
                  {texts.retry}
                </Button>
              )}
            </Table.Td>
            <Table.Td visibleFrom="sm" className={classes.text}>
              <To delivery={delivery} />
            </Table.Td>
            {hasWatcher && (
              <Table.Td visibleFrom="md" className={classes.text}>
                <OfWatcher delivery={delivery} />
              </Table.Td>
            )}
            <Table.Td visibleFrom="sm" className={`dim ${classes.text ?? ''}`}>
              <Why delivery={delivery} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function State({ delivery: { state, channel } }: { delivery: ShownDelivery }) {
  return (
    <StateMark state={state}>{channel === 'demo' && state === 'sent' ? texts.recorded : texts.states[state]}</StateMark>
  );
}

/** The title of the message, with a link to its subject. */
function About({ delivery }: { delivery: ShownDelivery }) {
  const { id, anomaly_id: anomalyId, incident_id: incidentId, watcher_id: watcherId } = delivery;
  const text: ReactNode = <bdi>{delivery.title}</bdi>;
  const look = { className: rows.link ?? '', 'data-row': id };
  if (incidentId !== null && incidentId !== undefined && anomalyId === null) {
    return (
      <Link to="/incident/$incidentId" params={{ incidentId: String(incidentId) }} search={keepView as never} {...look}>
        {text}
      </Link>
    );
  }
  if (anomalyId !== null) {
    return (
      <Link to="/anomaly/$anomalyId" params={{ anomalyId: String(anomalyId) }} search={keepView as never} {...look}>
        {text}
      </Link>
    );
  }
  if (watcherId !== null) {
    return (
      <Link to="/watchers/$watcherId" params={{ watcherId: String(watcherId) }} search={keepView as never} {...look}>
        {text}
      </Link>
    );
  }
  return (
    <span tabIndex={-1} {...look}>
      {text}
    </span>
  );
}

/** Tests and reports have only one phase. */
function Phase({ delivery: { kind, phase } }: { delivery: ShownDelivery }) {
  if (kind === 'test' || kind === 'summary') return null;
  return (
    <Text span size="xs" className="dim" ml={8}>
      {texts.phases[phase]}
    </Text>
  );
}

function To({ delivery: { channel, recipient } }: { delivery: ShownDelivery }) {
  return (
    <>
      {texts.channels[channel]} {channel !== 'demo' && <bdi>{recipient}</bdi>}
    </>
  );
}

function OfWatcher({ delivery: { watcher_id: id, watcher_name: name } }: { delivery: ShownDelivery }) {
  if (id === null) return <span className="dim">–</span>;
  return (
    <Link to="/watchers/$watcherId" params={{ watcherId: String(id) }} search={keepView as never}>
      <bdi>{name ?? texts.oneWatcher(id)}</bdi>
    </Link>
  );
}

/** Why it was not sent, or not yet. */
function Why({ delivery }: { delivery: ShownDelivery }) {
  const now = useNow();
  const { state, suppressed_by: by, message, attempts, next_attempt_timestamp: next = null } = delivery;
  if (by !== null) return texts.suppressed[by];
  return (
    <>
      <bdi>{message}</bdi>
      {(state === 'failed' || state === 'retrying') && attempts > 0 && ` (${texts.attempts(attempts)})`}
      {state === 'retrying' && next !== null && `, ${texts.nextAttempt(agoText(next, now))}`}
    </>
  );
}
