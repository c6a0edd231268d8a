import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { ApiError } from '../lib/api';
import { isolated } from '../lib/isolated';
import { keepView } from '../lib/keep-view';
import { isRefused, isUnreachable } from '../lib/failures';
import { liveState } from '../lib/live/live-state';
import { texts } from './components.texts';

/** Shown in place of content that is loading. It is a progressbar, because only an element with a role has a name. */
export function Loading({ label = texts.loading, children }: { label?: string; children: ReactNode }) {
  return (
    <div role="progressbar" aria-busy="true" aria-label={label}>
      {children}
    </div>
  );
}

/** The skeleton of a page while its data is loading. */
export function PageSkeleton() {
  return (
    <Loading>
      <Stack gap="sm">
        <Skeleton height={28} width="40%" />
        <RowsSkeleton rows={6} />
      </Stack>
    </Loading>
  );
}

export function RowsSkeleton({ rows, height = 32 }: { rows: number; height?: number }) {
  return (
    <Loading>
      <Stack gap={6}>
        {Array.from({ length: rows }, (_, i) => (
          <Skeleton key={i} height={height - 6} />
        ))}
      </Stack>
    </Loading>
  );
}

/**
 * The error and the required action, with the id by which an operator finds the request.
 *
 * `isOld` is passed for loads, not for changes: true if previously loaded data stays on the screen. Such loads are
 * repeated automatically when the server is available again, and the strip of the page reports that it is unavailable,
 * so they need no separate box.
 */
export function Failed({ error, onRetry, isOld }: { error: unknown; onRetry?: () => void; isOld?: boolean }) {
  const isOffline = isUnreachable(error);
  const isLive = liveState.use() === 'live';
  if (isOld !== undefined && (isOffline || isRefused(error))) {
    if (isOld && !isLive) return null;
    return (
      <Text size="sm" className="dim" py={4}>
        {isOld ? texts.stale : isOffline ? texts.notLoaded : texts.notLoadedSignIn}
      </Text>
    );
  }
  const isApi = error instanceof ApiError;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Alert
      color="red"
      variant="light"
      title={isOffline ? texts.unreachable : isRefused(error) ? texts.refused : message}
      role="alert"
    >
      <Stack gap={6}>
        {isOld === true && <Text size="sm">{texts.stale}</Text>}
        {isApi &&
          error.problems.map((problem) => (
            <Text key={problem.message} size="sm">
              {problem.message}
            </Text>
          ))}
        {isApi && error.requestId !== null && (
          <Text size="xs" className="dim">
            {texts.requestId} <span className="mono">{error.requestId}</span>
          </Text>
        )}
        {onRetry && (
          <Group>
            <Button variant="default" onClick={onRetry}>
              {texts.retry}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** States why there is nothing, and the next step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack gap={4} py="lg">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text size="sm" component="div" className="dim">
          {children}
        </Text>
      )}
    </Stack>
  );
}

const POLL_MS = 3000;

/** True if any server answers. */
export async function isServerThere(): Promise<boolean> {
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer !== null && answer.status < 500;
}

/** Replaces a page that could not be loaded. It is loaded again automatically when the server is available again. */
export function PageFailed({ error, reset }: { error: unknown; reset?: () => void }) {
  const isOffline = isUnreachable(error);
  const router = useRouter();
  useEffect(() => {
    if (!isOffline) return;
    const look = (): void => {
      // Not before a server answers, because the browser would replace this page with its own error page.
      if (!document.hidden)
        void isServerThere().then((isThere) => {
          if (isThere) location.replace(router.latestLocation.href);
        });
    };
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [isOffline, router]);
  return (
    <Stack gap="xs" p="md">
      <Title order={1}>{texts.pageFailed}</Title>
      {isOffline ? (
        <Text role="status">{texts.pageAway}</Text>
      ) : (
        <Failed error={error} onRetry={reset ?? (() => location.reload())} />
      )}
    </Stack>
  );
}

/** The list of the records of each kind. */
const LISTS = {
  incident: '/incidents',
  anomaly: '/anomalies',
  pattern: '/teach?tab=patterns',
  match: '/teach',
  tuning: '/teach?tab=tunings',
  watcher: '/alerts',
} as const satisfies Record<keyof typeof texts.records, string>;

export type RecordKind = keyof typeof LISTS;

/** Replaces the page of a record that does not exist. `id` as in the address. */
export function RecordMissing({ kind, id }: { kind: RecordKind; id: string }) {
  const { kind: name, all } = texts.records[kind];
  const [to, query] = LISTS[kind].split('?');
  const search = (current: Record<string, unknown>) => ({
    ...keepView(current),
    ...Object.fromEntries(new URLSearchParams(query)),
  });
  return (
    <Stack gap="xs" p="md">
      <Title order={1}>{texts.noRecord(name, isolated(id))}</Title>
      <Text>{texts.noRecordText}</Text>
      <Anchor component={Link} to={to} search={search as never}>
        {all}
      </Anchor>
    </Stack>
  );
}

export function PageMissing() {
  return (
    <Stack gap="xs" p="md">
      <Title order={1}>{texts.missingTitle}</Title>
      <Text>{texts.missingText}</Text>
      <Anchor component={Link} to="/">
        {texts.missingLink}
      </Anchor>
    </Stack>
  );
}
