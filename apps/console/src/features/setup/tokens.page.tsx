import { Button, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { texts as shared } from '../../components/components.texts';
import { ListFrame } from '../../components/list-frame';
import { Empty } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { Ago, Time } from '../../components/times';
import { type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { useListPage } from '../../lib/list-page';
import { useMe } from '../../lib/me';
import { useNow } from '../../lib/now';
import { useRowKeys } from '../../lib/row-keys';
import { tokensQuery } from './api/tokens';
import { AskAdmins } from '../../components/ask-admins';
import { SetupTabs } from './parts/setup-tabs';
import { ChangeTokenDialog, DeleteTokenDialog } from './parts/token-dialogs';
import { permissionsOf } from './token-form';
import { texts } from './tokens.texts';

type Token = Schema<'TokenDto'>;

/** Newest first: that is usually the one that users look for. */
const itemsOf = ({ tokens }: Schema<'TokenListDto'>): readonly Token[] => tokens.toReversed();

/** The tokens of programs. */
export function TokensPage() {
  const list = useListPage({ query: useQuery(tokensQuery), itemsOf, search: {} });
  const { admin: isAdmin } = useMe();
  return (
    <SetupTabs tab="tokens">
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" className="dim" flex="1 1 240px">
          {texts.intro} {list.items.length > 0 && texts.count(list.items.length)} <AskAdmins why={texts.onlyAdmins} />
        </Text>
        {isAdmin && (
          <Button renderRoot={(props: object) => <Link {...props} to="/setup/tokens/new" search={keepView as never} />}>
            {texts.make}
          </Button>
        )}
      </Group>
      <ListFrame list={list} skeleton={4} empty={<Empty title={texts.none}>{texts.noneText}</Empty>}>
        {(tokens) => <TokenTable tokens={tokens} mayChange={isAdmin} />}
      </ListFrame>
    </SetupTabs>
  );
}

function TokenTable({ tokens, mayChange }: { tokens: readonly Token[]; mayChange: boolean }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, shared.rows);
  return (
    <Table aria-label={texts.title}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.name}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.token}</Table.Th>
          <Table.Th>{texts.columns.may}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.used}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.expires}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.created}</Table.Th>
          {mayChange && <Table.Th>{texts.columns.action}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {tokens.map((token) => (
          <Row key={token.ref} token={token} mayChange={mayChange} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ token, mayChange }: { token: Token; mayChange: boolean }) {
  const now = useNow();
  const { id, ref, name, valid_until: end, created_timestamp: created, last_used_timestamp: used } = token;
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        <bdi>{name}</bdi>
        <Text size="xs" className="dim" hiddenFrom="sm">
          {texts.columns.used}: {used === null ? texts.neverUsed : <Ago at={used} />}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md" className="mono dim">
        {id}
      </Table.Td>
      <Table.Td>
        {permissionsOf(token)
          .map((permission) => texts.permissions[permission])
          .join(', ')}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        {used === null ? <span className="dim">{texts.neverUsed}</span> : <Ago at={used} />}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        {end === null ? (
          <span className="dim">{texts.never}</span>
        ) : end <= now ? (
          <strong>{texts.expired}</strong>
        ) : (
          <Time at={end} />
        )}
      </Table.Td>
      <Table.Td visibleFrom="md" className={rows.when}>
        <Ago at={created} />
      </Table.Td>
      {mayChange && (
        <Table.Td>
          <Buttons token={token} rowId={ref} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function Buttons({ token, rowId }: { token: Token; rowId: number }) {
  const [open, setOpen] = useState<'change' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Group gap={6}>
      <Button
        variant="default"
        size="compact-xs"
        data-row={rowId}
        aria-label={texts.changeOf(token.name)}
        onClick={() => setOpen('change')}
      >
        {texts.change}
      </Button>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={texts.deleteOf(token.name)}
        onClick={() => setOpen('delete')}
      >
        {texts.delete}
      </Button>
      {open === 'change' && <ChangeTokenDialog token={token} onClose={close} />}
      {open === 'delete' && <DeleteTokenDialog token={token} onClose={close} />}
    </Group>
  );
}
