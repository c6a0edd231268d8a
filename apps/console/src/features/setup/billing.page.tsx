import { Alert, Anchor, Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Empty, Failed, RowsSkeleton } from '../../components/page-states';
import { Pager } from '../../components/pager';
import { Pairs } from '../../components/pairs';
import rows from '../../components/rows.module.css';
import { Time } from '../../components/times';
import { type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { useMe } from '../../lib/me';
import { dateText } from '../../lib/time';
import { useZone } from '../../lib/zone';
import { billingQuery, INVOICES_PAGE_SIZE, useCheckout, usePortal } from './api/billing';
import { quotaQuery } from './api/organisation';
import { texts } from './billing.texts';
import { AskAdmins } from '../../components/ask-admins';
import { Section } from './parts/section';
import { SetupTabs } from './parts/setup-tabs';
import { type BillingSearch } from './setup-search';

type Billing = Schema<'BillingHistoryDto'>;

/** The plan of the organisation, its use, and the payments. */
export function BillingPage() {
  const { admin: isAdmin } = useMe();
  return (
    <SetupTabs tab="billing">
      {isAdmin ? (
        <Parts />
      ) : (
        <Text size="sm">
          <AskAdmins why={texts.onlyAdmins} />
        </Text>
      )}
    </SetupTabs>
  );
}

function Parts() {
  const { page = 1, checkout }: BillingSearch = useSearch({ strict: false });
  const { data, isPending, error, refetch } = useQuery(billingQuery(page));
  return (
    <Stack gap="xl" maw={860}>
      {checkout !== undefined && (
        <Alert variant="light" color={checkout === 'success' ? 'blue' : 'gray'} role="status">
          {checkout === 'success' ? texts.paid : texts.cancelled}
        </Alert>
      )}
      {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={6} />}
      {data && <PlanPart billing={data} />}
      {data && data.plans.length > 0 && data.current_plan === null && <Offers billing={data} />}
      {data && (data.plans.length > 0 || data.total > 0) && <Invoices billing={data} page={page} />}
    </Stack>
  );
}

function PlanPart({ billing }: { billing: Billing }) {
  const { current_plan: plan, plans, renews_timestamp: renews, cancels_timestamp: cancels } = billing;
  const isSold = plans.length > 0 || plan !== null;
  const portal = usePortal();
  return (
    <Section title={texts.plan}>
      {!isSold && (
        <Text size="sm">
          {texts.notSold} {texts.limitByHand}{' '}
          <Anchor component={Link} to="/setup/organisation" search={keepView as never} size="sm">
            {texts.organisation}
          </Anchor>
          .
        </Text>
      )}
      <Pairs
        pairs={[
          isSold ? { name: texts.plan, value: plan?.name ?? texts.noPlan } : null,
          plan && { name: texts.price, value: texts.each(plan.amount_string, plan.interval) },
          renews === null || cancels !== null ? null : { name: texts.renews, value: <Time at={renews} /> },
          cancels === null ? null : { name: texts.cancels, value: <Time at={cancels} /> },
          { name: texts.usage, value: <Usage /> },
        ]}
      />
      {plan && (
        <>
          <Text size="sm" className="dim">
            {texts.portalText}
          </Text>
          <Group>
            <Button variant="default" loading={portal.isPending} onClick={() => portal.mutate()}>
              {texts.portal}
            </Button>
          </Group>
        </>
      )}
      {portal.error && <Failed error={portal.error} />}
    </Section>
  );
}

/** How many metrics count, and how many are allowed. */
function Usage() {
  const { data, error, refetch } = useQuery(quotaQuery);
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} isOld={false} /> : null;
  const { quota_used: used, metric_limit: limit } = data;
  if (limit === null) return texts.usageFree(used);
  const percent = Math.min(100, (used / limit) * 100);
  return (
    <Stack gap={4} maw={320}>
      <span>{texts.usageOf(used, limit)}</span>
      <Progress value={percent} color={used >= limit ? 'red' : undefined} aria-label={texts.usageLabel} />
      {used >= limit && <strong>{texts.full}</strong>}
    </Stack>
  );
}

function Offers({ billing: { plans } }: { billing: Billing }) {
  const checkout = useCheckout();
  return (
    <Section title={texts.offers} text={texts.checkout}>
      {checkout.error && <Failed error={checkout.error} />}
      <Table aria-label={texts.offers}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.columns.name}</Table.Th>
            <Table.Th>{texts.columns.limit}</Table.Th>
            <Table.Th>{texts.columns.price}</Table.Th>
            <Table.Th>{texts.columns.action}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {plans.map(({ id, name, metric_limit: limit, amount_string: amount, interval }) => (
            <Table.Tr key={id} className={rows.row}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{texts.upTo(limit)}</Table.Td>
              <Table.Td>{texts.each(amount, interval)}</Table.Td>
              <Table.Td>
                <Button
                  variant="default"
                  size="compact-xs"
                  loading={checkout.isPending && checkout.variables === id}
                  disabled={checkout.isPending && checkout.variables !== id}
                  aria-label={texts.chooseOf(name)}
                  onClick={() => checkout.mutate(id)}
                >
                  {texts.choose}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function Invoices({ billing: { history, total }, page }: { billing: Billing; page: number }) {
  return (
    <Section title={texts.invoices}>
      {total === 0 ? (
        <Empty title={texts.noInvoices} />
      ) : (
        <Table aria-label={texts.invoices}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.invoiceColumns.date}</Table.Th>
              <Table.Th>{texts.invoiceColumns.what}</Table.Th>
              <Table.Th visibleFrom="sm">{texts.invoiceColumns.period}</Table.Th>
              <Table.Th className={rows.right}>{texts.invoiceColumns.amount}</Table.Th>
              <Table.Th>{texts.invoiceColumns.state}</Table.Th>
              <Table.Th>{texts.invoiceColumns.link}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {history.map((record) => (
              <Invoice key={record.id} record={record} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Pager page={page} size={INVOICES_PAGE_SIZE} total={total} />
    </Section>
  );
}

function Invoice({ record }: { record: Schema<'BillingRecordDto'> }) {
  const zone = useZone();
  const { created_timestamp: at, period_from: from, period_until: until, invoice_url: url } = record;
  return (
    <Table.Tr className={rows.row}>
      <Table.Td className={rows.when}>
        <Time at={at} />
      </Table.Td>
      <Table.Td>{record.plan_name || texts.other}</Table.Td>
      <Table.Td visibleFrom="sm">{texts.period(dateText(from, zone), dateText(until, zone))}</Table.Td>
      <Table.Td className={rows.right}>{record.amount_string}</Table.Td>
      <Table.Td>{texts.states[record.status]}</Table.Td>
      <Table.Td>
        {url !== null && (
          <Anchor
            href={url}
            target="_blank"
            rel="noreferrer"
            size="sm"
            aria-label={texts.openInvoiceOf(dateText(at, zone))}
          >
            {texts.openInvoice}
          </Anchor>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
