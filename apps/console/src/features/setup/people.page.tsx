import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { texts as shared } from '../../components/components.texts';
import { FilterSelects } from '../../components/list-filters';
import { ListFrame } from '../../components/list-frame';
import { Empty } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { Ago } from '../../components/times';
import { type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { useListPage } from '../../lib/list-page';
import { useMe } from '../../lib/me';
import { orgInfoQuery } from '../../lib/org-info';
import { useRowKeys } from '../../lib/row-keys';
import { type SetSearch, useSetFilters } from '../../lib/set-search';
import { PAGE_SIZE, peopleQuery, useResend } from './api/people';
import { AskAdmins } from '../../components/ask-admins';
import { InviteDialog, ResentDialog } from './parts/invite-dialog';
import { PersonDialog } from './parts/person-dialog';
import { SetupTabs } from './parts/setup-tabs';
import { displayName, roleText } from './person-text';
import { texts } from './people.texts';
import { type PeopleSearch } from './setup-search';

type User = Schema<'UserDto'>;

const itemsOf = ({ users }: Schema<'UsersDto'>): readonly User[] => users;

/** The users and their roles. */
export function PeoplePage() {
  const search: PeopleSearch = useSearch({ strict: false });
  const query = useQuery(peopleQuery(search));
  const list = useListPage({ query, itemsOf, search });
  const set: SetSearch<PeopleSearch> = useSetFilters({ replace: true });
  const info = useQuery(orgInfoQuery);
  const { admin: isAdmin } = useMe();
  const [isInviting, setInviting] = useState(false);
  return (
    <SetupTabs tab="people">
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" className="dim" flex="1 1 240px">
          {list.total !== undefined && `${texts.count(list.total)}. `}
          <AskAdmins why={texts.onlyAdmins} />
        </Text>
        <FilterSelects
          search={search}
          filters={[{ name: 'state', label: texts.state, choices: { all: texts.anyState, ...texts.states }, w: 130 }]}
          onChange={set}
        />
        {isAdmin && <Button onClick={() => setInviting(true)}>{texts.invite}</Button>}
      </Group>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      <ListFrame
        list={list}
        size={PAGE_SIZE}
        skeleton={4}
        empty={
          <Empty title={texts.none}>
            {texts.noneText}{' '}
            <Anchor component={Link} to="/setup/people" search={keepView as never} size="sm">
              {texts.showAll}
            </Anchor>
          </Empty>
        }
      >
        {(users) => (
          <PeopleTable users={users} mayChange={isAdmin} administrators={info.data?.admin_users.length ?? 1} />
        )}
      </ListFrame>
    </SetupTabs>
  );
}

interface TableProps {
  users: readonly User[];
  mayChange: boolean;
  administrators: number;
}

function PeopleTable({ users, mayChange, administrators }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, shared.rows);
  return (
    <Table aria-label={texts.title}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.name}</Table.Th>
          <Table.Th>{texts.columns.role}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.state}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.last}</Table.Th>
          {mayChange && <Table.Th>{texts.columns.action}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {users.map((user) => (
          <Row key={user.id} user={user} mayChange={mayChange} administrators={administrators} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ user, mayChange, administrators }: Omit<TableProps, 'users'> & { user: User }) {
  const me = useMe();
  const { id, name, email, state, last_login_timestamp: last } = user;
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        {name === '' ? <span className="dim">{texts.noName}</span> : <bdi>{name}</bdi>}
        {id === me.id && <span className="dim"> ({texts.you})</span>}
        {email !== '' && (
          <Text size="xs" className="dim">
            <bdi>{email}</bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {roleText(user)}
        <Text size="xs" className="dim" hiddenFrom="sm">
          {texts.states[state]}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" className={state === 'active' ? undefined : 'dim'}>
        {texts.states[state]}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        {last === null ? <span className="dim">{texts.never}</span> : <Ago at={last} />}
      </Table.Td>
      {mayChange && (
        <Table.Td>
          <Buttons user={user} administrators={administrators} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function Buttons({ user, administrators }: { user: User; administrators: number }) {
  const [isOpen, setOpen] = useState(false);
  const resend = useResend();
  const name = displayName(user);
  return (
    <Group gap={6}>
      <Button
        variant="default"
        size="compact-xs"
        data-row={user.id}
        aria-label={texts.changeOf(name)}
        onClick={() => setOpen(true)}
      >
        {texts.change}
      </Button>
      {user.state === 'invited' && (
        <Button
          variant="default"
          size="compact-xs"
          loading={resend.isPending}
          aria-label={texts.resendOf(name)}
          onClick={() => resend.mutate(user)}
        >
          {texts.resend}
        </Button>
      )}
      {isOpen && <PersonDialog user={user} administrators={administrators} onClose={() => setOpen(false)} />}
      {resend.data && <ResentDialog invitation={resend.data} onClose={() => resend.reset()} />}
    </Group>
  );
}
