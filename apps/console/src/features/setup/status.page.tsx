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
import { texts } from './status.texts';

type Component = Schema<'ComponentDto'>;

/** The state of the service, its login methods, and a form to report a problem. */
export function StatusPage() {
  const { demo: isDemo } = useMe();
  return (
    <SetupTabs tab="status">
      <Stack gap="xl" maw={860}>
        <ServicePart />
        <LoginMethods />
        <Section title={texts.report} text={isDemo ? texts.demo : texts.reportText}>
          {!isDemo && <ReportForm />}
        </Section>
        <Section title={texts.api}>
          <Text size="sm">
            {texts.apiText}{' '}
            <Anchor href="/api/doc" target="_blank" size="sm">
              {texts.apiLink}
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
            {texts.states[data.state]}
          </Text>
          <Pairs
            pairs={[
              { name: texts.version, value: <span className="mono">{data.version}</span> },
              { name: texts.uptime, value: durationText(data.uptime_seconds) },
              { name: texts.time, value: `${fullTimeText(data.server_timestamp, zone)} ${zone}` },
              { name: texts.lastPoint, value: <LastPoint /> },
              { name: texts.raised, value: <Raised /> },
            ]}
          />
          {isAdmin ? <PartsTable parts={data.components} /> : <Text size="sm">{texts.partsForAdmins}</Text>}
        </>
      )}
    </Stack>
  );
}

function LastPoint() {
  const { data } = useQuery(summaryQuery);
  if (!data) return null;
  const { last_data_timestamp: last, points_last_minute: points } = data.summary;
  if (last === null) return <span className="dim">{texts.noPoint}</span>;
  return (
    <>
      <Ago at={last} />, {texts.points(points)}
    </>
  );
}

function Raised() {
  const { data } = useQuery(adminAlertsQuery);
  if (!data) return null;
  const raised = data.admin_alerts.filter(({ state }) => state === 'raised');
  if (raised.length === 0) return <span className="dim">{texts.noneRaised}</span>;
  return (
    <Anchor component={Link} to="/alerts/admin" search={keepView as never} size="sm">
      {raised.map(({ name }) => name).join(', ')}
    </Anchor>
  );
}

function PartsTable({ parts }: { parts: readonly Component[] }) {
  return (
    <Table aria-label={texts.parts}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.name}</Table.Th>
          <Table.Th>{texts.columns.state}</Table.Th>
          <Table.Th visibleFrom="xs">{texts.columns.age}</Table.Th>
          <Table.Th>{texts.columns.message}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {parts.map(({ name, ok: isOk, age_seconds: age, message }) => (
          <Table.Tr key={name} className={rows.row}>
            <Table.Td>{texts.names[name]}</Table.Td>
            <Table.Td>{isOk ? texts.works : <strong>{texts.fails}</strong>}</Table.Td>
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
    <Section title={texts.signIn} text={texts.signInText}>
      {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={5} />}
      {data && (
        <Pairs
          pairs={[
            { name: texts.password, value: data.password ? texts.on : texts.off },
            {
              name: texts.sso,
              value: <Set by="OIDC_ISSUER">{data.sso.enabled ? texts.ssoOn(data.sso.label) : texts.off}</Set>,
            },
            { name: texts.signup, value: <Set by="SIGNUP_MODE">{texts.signups[data.signup]}</Set> },
            {
              name: texts.visits,
              value: <Set by="PLUMBLINE_DEMO_VISITS">{data.demo ? texts.visitsOn : texts.off}</Set>,
            },
            { name: texts.mail, value: <Set by="SMTP_HOST">{data.mail ? texts.mailOn : texts.mailOff}</Set> },
          ]}
        />
      )}
    </Section>
  );
}

/** A state with the server setting that causes it. */
function Set({ by, children }: { by: string; children: string }) {
  return (
    <>
      {children} <span className="mono dim">{by}</span>
    </>
  );
}
