import { Button, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { texts as shared } from '../../components/components.texts';
import { Failed, RowsSkeleton } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { Ago } from '../../components/times';
import { adminAlertsQuery } from '../../lib/admin-alerts';
import { type Schema } from '../../lib/api';
import { isolated } from '../../lib/isolated';
import { useMe } from '../../lib/me';
import { useRowKeys } from '../../lib/row-keys';
import { texts } from './admin-alerts.texts';
import { texts as alerts } from './alerts.texts';
import { useSetAdminAlert } from './api/admin-alerts';
import { AdminAlertDetails } from './parts/admin-alert-details';
import { AlertsTabs } from './parts/alerts-tabs';
import { RecipientsDialog } from './parts/recipients-dialog';

type AdminAlert = Schema<'AdminAlertDto'>;

/**
 * The alerts about the service itself: the page that their mails link to, for switching them off or changing their
 * recipients.
 */
export function AdminAlertsPage() {
  const { data, isPending, error, refetch } = useQuery(adminAlertsQuery);
  const { admin: isAdmin } = useMe();
  return (
    <>
      <Title order={1}>{alerts.title}</Title>
      <AlertsTabs tab="admin">
        <Text size="sm" className="dim" mb="xs">
          {texts.intro}
          {!isAdmin && ` ${texts.onlyAdmins}`}
        </Text>
        {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
        {isPending && <RowsSkeleton rows={5} />}
        {data && <AdminAlertTable all={data.admin_alerts} mayChange={isAdmin} />}
      </AlertsTabs>
    </>
  );
}

function AdminAlertTable({ all, mayChange }: { all: readonly AdminAlert[]; mayChange: boolean }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, shared.rows);
  return (
    <Table aria-label={texts.title}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.name}</Table.Th>
          <Table.Th>{texts.columns.state}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.to}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.last}</Table.Th>
          <Table.Th>{texts.columns.action}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {all.map((alert) => (
          <Row key={alert.id} alert={alert} mayChange={mayChange} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ alert, mayChange }: { alert: AdminAlert; mayChange: boolean }) {
  const { code, name, state, enabled, configurable, last_notified_timestamp: last } = alert;
  const recipients = recipientsOf(alert).map(isolated).join(', ');
  const stateText = configurable ? (enabled ? texts.isOn : texts.isOff) : texts.isAlwaysOn;
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        {name}
        {state !== 'ok' && <AdminAlertDetails code={code} />}
      </Table.Td>
      <Table.Td>{state === 'raised' ? <strong>{texts.states.raised}</strong> : texts.states[state]}</Table.Td>
      <Table.Td visibleFrom="sm" className={recipients.length === 0 ? 'dim' : undefined}>
        {recipients.length === 0 ? texts.noRecipient : alert.named ? recipients : texts.byDefault(recipients)}
      </Table.Td>
      <Table.Td visibleFrom="md" className={rows.when}>
        {last === null ? <span className="dim">{texts.never}</span> : <Ago at={last} />}
      </Table.Td>
      <Table.Td>
        <span style={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 }}>
          <Text size="sm" span className={enabled ? undefined : 'dim'}>
            {stateText}
          </Text>
          {mayChange && configurable && <SwitchButton alert={alert} />}
          {mayChange && <RecipientsButton alert={alert} />}
        </span>
      </Table.Td>
    </Table.Tr>
  );
}

function SwitchButton({ alert }: { alert: AdminAlert }) {
  const { mutate, isPending } = useSetAdminAlert();
  const { id, name, enabled } = alert;
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={isPending}
      data-row={id}
      aria-label={enabled ? texts.switchOffOf(name) : texts.switchOnOf(name)}
      onClick={() => mutate({ alert, enabled: !enabled })}
    >
      {enabled ? texts.switchOff : texts.switchOn}
    </Button>
  );
}

function RecipientsButton({ alert }: { alert: AdminAlert }) {
  const [isOpen, setOpen] = useState(false);
  const { id, name, configurable } = alert;
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        // The row keys focus the first button of a row.
        data-row={configurable ? undefined : id}
        aria-label={texts.recipientsOf(name)}
        onClick={() => setOpen(true)}
      >
        {texts.recipients}
      </Button>
      {isOpen && <RecipientsDialog alert={alert} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Only administrators may see the contact data of others; other users see names. */
function recipientsOf({ alerts: recipients }: AdminAlert): string[] {
  return recipients.map(({ method, ref, user }) => {
    if (user === null) return texts.chat(ref);
    const name = [user.name, user.email].find((text) => text !== '') ?? ref;
    return method === 'sms' ? texts.sms(name) : name;
  });
}
