import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { ApiError } from '../../../lib/api';
import { useDraft } from '../../../lib/draft';
import { useReportIssue } from '../api/status';
import { type StatusSearch } from '../setup-search';
import { texts } from '../status.texts';

const LONGEST_MESSAGE = 5000;
const LONGEST_PAGE = 2000;

/** Reports a problem to the operator, including the page. */
export function ReportForm() {
  const { about = '' }: StatusSearch = useSearch({ strict: false });
  const [draft, setDraft] = useDraft('report', { message: '', url: about });
  const [isTried, setTried] = useState(false);
  const report = useReportIssue();
  const message = draft.message.trim();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (message === '') return;
    report.mutate(
      { message, url: draft.url.trim() },
      {
        onSuccess: () => {
          setTried(false);
          setDraft((current) => ({ ...current, message: '' }));
        },
      },
    );
  };
  const problemOf = (field: string): string | undefined =>
    report.error instanceof ApiError ? report.error.problemOf(field) : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={560}>
        <Textarea
          label={texts.what}
          placeholder={texts.whatHint}
          autosize
          minRows={4}
          maxRows={16}
          maxLength={LONGEST_MESSAGE}
          value={draft.message}
          error={isTried && message === '' ? texts.noWhat : problemOf('message')}
          onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, message: value }))}
        />
        <TextInput
          label={texts.where}
          maxLength={LONGEST_PAGE}
          value={draft.url}
          error={problemOf('url')}
          onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, url: value }))}
        />
        {report.error && <Failed error={report.error} />}
        <Group>
          <Button type="submit" loading={report.isPending}>
            {texts.send}
          </Button>
        </Group>
        {report.data && (
          <Text size="sm" fw={600} role="status">
            {texts.sent(report.data.issue_id)}
          </Text>
        )}
      </Stack>
    </form>
  );
}
