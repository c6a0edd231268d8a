import { Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { texts as shared } from '../../components/components.texts';
import { Failed, RowsSkeleton } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { Ago } from '../../components/times';
import { type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { useRowKeys } from '../../lib/row-keys';
import { servicesQuery } from './api/integrations';
import { texts } from './integrations.texts';
import { AskAdmins } from '../../components/ask-admins';
import { ServiceState } from './parts/service-state';
import { SetupTabs } from './parts/setup-tabs';

type Service = Schema<'ServiceDto'>;

const CATEGORIES = ['alert', 'ingest', 'dashboard', 'billing'] as const;

/** Destinations of alerts and sources of metrics. */
export function IntegrationsPage() {
  const { data, isPending, error, refetch } = useQuery(servicesQuery);
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list, shared.rows);
  return (
    <SetupTabs tab="integrations">
      <Text size="sm" className="dim" mb="xs">
        {texts.intro} <AskAdmins why={texts.onlyAdmins} />
      </Text>
      {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={12} />}
      {data && (
        <Stack gap="lg" ref={list}>
          {CATEGORIES.map((category) => (
            <Category
              key={category}
              title={texts.categories[category]}
              isSending={category === 'alert'}
              services={data.services.filter((service) => service.category === category)}
            />
          ))}
        </Stack>
      )}
    </SetupTabs>
  );
}

interface CategoryProps {
  title: string;
  /** True if messages are sent to its services. */
  isSending: boolean;
  services: readonly Service[];
}

function Category({ title, isSending, services }: CategoryProps) {
  if (services.length === 0) return null;
  return (
    <section>
      <Title order={2} mb={4}>
        {title}
      </Title>
      <Table aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="22%">{texts.columns.name}</Table.Th>
            <Table.Th visibleFrom="sm">{texts.columns.what}</Table.Th>
            <Table.Th w="22%">{texts.columns.state}</Table.Th>
            {isSending && (
              <Table.Th w="18%" visibleFrom="sm">
                {texts.columns.last}
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {services.map((service) => (
            <Row key={service.id} service={service} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Row({ service }: { service: Service }) {
  const { id, name, provider, description, category, last_ok_timestamp: last } = service;
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        <Link
          to="/setup/integrations/$serviceId"
          params={{ serviceId: id }}
          search={keepView as never}
          className={rows.link}
          data-row={id}
        >
          {name}
        </Link>
        {provider !== name && (
          <Text size="xs" className="dim">
            {provider}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">{description}</Table.Td>
      <Table.Td>
        <ServiceState service={service} />
      </Table.Td>
      {category === 'alert' && (
        <Table.Td visibleFrom="sm" className={rows.when}>
          {last === null ? <span className="dim">{texts.neverSent}</span> : <Ago at={last} />}
        </Table.Td>
      )}
    </Table.Tr>
  );
}
