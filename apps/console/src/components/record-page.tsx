import { Title } from '@mantine/core';
import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { ApiError } from '../lib/api';
import { Failed, PageSkeleton, type RecordKind, RecordMissing } from './page-states';

/** The id of a record from an address; null if it is invalid. */
export function recordId(text: string | undefined): number | null {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** The page of one record in its four states; `title` is shown if the record could not be loaded. */
export function RecordPage<Record>({
  id,
  record,
  query: { data, error, refetch },
  title,
  children,
}: {
  id: number | null;
  /** Its kind, and its id as in the address. */
  record: { kind: RecordKind; id: string };
  query: Pick<UseQueryResult<Record>, 'data' | 'error' | 'refetch'>;
  title: string;
  children: (record: Record) => ReactNode;
}) {
  if (id === null || (error instanceof ApiError && error.status === 404)) return <RecordMissing {...record} />;
  const failure = error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />;
  if (data !== undefined) {
    return (
      <>
        {failure}
        {children(data)}
      </>
    );
  }
  return failure === null ? (
    <PageSkeleton />
  ) : (
    <>
      <Title order={1}>{title}</Title>
      {failure}
    </>
  );
}
