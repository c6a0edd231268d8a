import { Anchor, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failed, RowsSkeleton } from '../../components/page-states';
import { Pairs } from '../../components/pairs';
import rows from '../../components/rows.module.css';
import { Ago } from '../../components/times';
import { adminAlertsQuery } from '../../lib/admin-alerts';
import { type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { loginMethodsQuery } from '../../lib/login-methods';
import { useMe } from '../../lib/me';
import { summaryQuery } from '../../lib/summary';
import { durationText, fullTimeText } from '../../lib/time';
import { useZone } from '../../lib/zone';
import { statusQuery } from './api/status';
import { ReportForm } from './parts/report-form';
import { Section } from './parts/section';
import { SetupTabs } from './parts/setup-tabs';
import { words } from './status.words';

type Component = Schema<'ComponentDto'>;

/** How the service is, by which ways people get in, and where to say that something is wrong. */
export function StatusPage() {
  const { demo: isDemo } = useMe();
  return (
    <SetupTabs tab="status">
      <Stack gap="xl" maw={860}>
        <ServicePart />
        <LoginMethods />
        <Section title={words.report} text={isDemo ? words.demo : words.reportText}>
          {!isDemo && <ReportForm />}
        </Section>
        <Section title={words.api}>
          <Text size="sm">
            {words.apiText}{' '}
            <Anchor href="/api/doc" target="_blank" size="sm">
              {words.apiLink}
            </Anchor>
            .
          </Text>
        </Section>
      </Stack>
    </SetupTabs>
  );
}

function ServicePart() {
  const { admin: isAdmin } = useMe();
  const zone = useZone();
  const { data, isPending, error, refetch } = useQuery(statusQuery);
  return (
    <Stack gap="sm" component="section">
      {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={10} />}
      {data && (
        <>
          <Text fw={600} role="status">
            {words.states[data.state]}
          </Text>
          <Pairs
            pairs={[
              { name: words.version, value: <span className="mono">{data.version}</span> },
              { name: words.uptime, value: durationText(data.uptime_seconds) },
              { name: words.time, value: `${fullTimeText(data.server_timestamp, zone)} ${zone}` },
              { name: words.lastPoint, value: <LastPoint /> },
              { name: words.raised, value: <Raised /> },
            ]}
          />
          {isAdmin ? <PartsTable parts={data.components} /> : <Text size="sm">{words.partsForAdmins}</Text>}
        </>
      )}
    </Stack>
  );
}

function LastPoint() {
  const { data } = useQuery(summaryQuery);
  if (!data) return null;
  const { last_data_timestamp: last, points_last_minute: points } = data.summary;
  if (last === null) return <span className="dim">{words.noPoint}</span>;
  return (
    <>
      <Ago at={last} />, {words.points(points)}
    </>
  );
}

function Raised() {
  const { data } = useQuery(adminAlertsQuery);
  if (!data) return null;
  const raised = data.admin_alerts.filter(({ state }) => state === 'raised');
  if (raised.length === 0) return <span className="dim">{words.noneRaised}</span>;
  return (
    <Anchor component={Link} to="/alerts/admin" search={keepView as never} size="sm">
      {raised.map(({ name }) => name).join(', ')}
    </Anchor>
  );
}

function PartsTable({ parts }: { parts: readonly Component[] }) {
  return (
    <Table aria-label={words.parts}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.columns.name}</Table.Th>
          <Table.Th>{words.columns.state}</Table.Th>
          <Table.Th visibleFrom="xs">{words.columns.age}</Table.Th>
          <Table.Th>{words.columns.message}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {parts.map(({ name, ok: isOk, age_seconds: age, message }) => (
          <Table.Tr key={name} className={rows.row}>
            <Table.Td>{words.names[name]}</Table.Td>
            <Table.Td>{isOk ? words.works : <strong>{words.fails}</strong>}</Table.Td>
            <Table.Td visibleFrom="xs" className={rows.when}>
              {age === null ? '' : durationText(age)}
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{message}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function LoginMethods() {
  const { data, isPending, error, refetch } = useQuery(loginMethodsQuery);
  return (
    <Section title={words.signIn} text={words.signInText}>
      {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={5} />}
      {data && (
        <Pairs
          pairs={[
            { name: words.password, value: data.password ? words.on : words.off },
            {
              name: words.sso,
              value: <Set by="OIDC_ISSUER">{data.sso.enabled ? words.ssoOn(data.sso.label) : words.off}</Set>,
            },
            { name: words.signup, value: <Set by="SIGNUP_MODE">{words.signups[data.signup]}</Set> },
            {
              name: words.visits,
              value: <Set by="PLUMBLINE_DEMO_VISITS">{data.demo ? words.visitsOn : words.off}</Set>,
            },
            { name: words.mail, value: <Set by="SMTP_HOST">{data.mail ? words.mailOn : words.mailOff}</Set> },
          ]}
        />
      )}
    </Section>
  );
}

/** A state with the setting of the server that it comes from. */
function Set({ by, children }: { by: string; children: string }) {
  return (
    <>
      {children} <span className="mono dim">{by}</span>
    </>
  );
}
