import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failed, RowsSkeleton } from '../../../components/page-states';
import { ApiError } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { useMe } from '../../../lib/me';
import { orgInfoQuery } from '../../../lib/org-info';
import { summaryQuery } from '../../../lib/summary';
import { deleteOrg } from '../api/removal';
import { texts } from '../removal.texts';
import { ConfirmDialog } from './confirm-dialog';
import { Section } from './section';

/** Deletes the organisation. While there are other administrators, the button is disabled, and the part states why. */
export function DeleteOrgPart() {
  const info = useQuery(orgInfoQuery);
  const summary = useQuery(summaryQuery);
  const [isConfirmOpen, setConfirmOpen] = useState(false);
  const others = (info.data?.admin_users.length ?? 1) - 1;
  const error = info.error ?? summary.error;
  const retry = (): void => {
    void info.refetch();
    void summary.refetch();
  };
  return (
    <Section title={texts.org} text={texts.orgText}>
      {error && <Failed error={error} onRetry={retry} isOld={info.data !== undefined && summary.data !== undefined} />}
      {summary.isPending && <RowsSkeleton rows={2} />}
      {summary.data && <OrgWouldGo counts={summary.data.summary} />}
      {others > 0 && <Text size="sm">{texts.orgNotLast(others)}</Text>}
      <Group>
        <Button
          variant="default"
          disabled={info.data === undefined || summary.data === undefined || others > 0}
          onClick={() => setConfirmOpen(true)}
        >
          {texts.orgButton}
        </Button>
      </Group>
      {isConfirmOpen && <DeleteOrgDialog onClose={() => setConfirmOpen(false)} />}
    </Section>
  );
}

interface OrgCounts {
  metrics: { total: number };
  patterns: { total: number };
  watchers: { total: number };
  users: number;
}

function OrgWouldGo({ counts: { metrics, patterns, watchers, users } }: { counts: OrgCounts }) {
  return (
    <Text size="sm" role="status">
      {texts.wouldGo}: {texts.orgCounts(metrics.total, patterns.total, watchers.total, users)}. {texts.orgAlso}
    </Text>
  );
}

function DeleteOrgDialog({ onClose }: { onClose: () => void }) {
  const { org } = useMe();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const act = useMutation({ mutationFn: deleteOrg });
  const isWrong = act.error instanceof ApiError && act.error.code === 'login_failed';
  return (
    <ConfirmDialog
      title={texts.orgTitle(isolated(org.name))}
      label={texts.orgNow}
      isPending={act.isPending}
      isDisabled={password === '' || name.trim() !== org.name.trim()}
      error={isWrong ? null : act.error}
      onConfirm={() => act.mutate(password)}
      onClose={onClose}
    >
      <Stack gap="sm">
        {texts.orgConfirm}
        <TextInput
          label={texts.orgName(isolated(org.name))}
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={texts.orgPassword}
          autoComplete="current-password"
          maxLength={200}
          value={password}
          error={isWrong ? texts.wrongPassword : undefined}
          visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  );
}
