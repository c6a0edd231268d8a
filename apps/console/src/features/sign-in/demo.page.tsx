import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Failed, RowsSkeleton } from '../../components/page-states';
import { demoOrgsQuery, visitDemo, visitorQuery } from './api/login';
import { FormFailure, Frame, ToSignIn } from './parts/frame';
import { useEnter } from './parts/use-enter';
import { texts } from './sign-in.texts';
import classes from './parts/frame.module.css';

/** Organisations that everyone may view. */
export function DemoPage() {
  const demos = useQuery(demoOrgsQuery);
  const visitor = useQuery(visitorQuery);
  const enter = useEnter();
  const visit = useMutation({ mutationFn: visitDemo, onSuccess: () => enter('/') });
  if (demos.data?.orgs.length === 0) {
    return (
      <Frame title={texts.demoNone} text={texts.demoNoneText}>
        <ToSignIn />
      </Frame>
    );
  }
  const name = visitor.data && (visitor.data.name || visitor.data.email);
  return (
    <Frame title={texts.demoTitle} text={texts.demoText}>
      {demos.isPending && <RowsSkeleton rows={2} height={64} />}
      {demos.error && (
        <Failed error={demos.error} onRetry={() => void demos.refetch()} isOld={demos.data !== undefined} />
      )}
      {demos.data?.orgs.map((org) => (
        <Group key={org.id} className={classes.org} justify="space-between" wrap="nowrap" gap="sm">
          <div>
            <Text fw={600}>
              <bdi>{org.name}</bdi>
            </Text>
            <Text size="xs" className="dim">
              {org.description} {texts.demoCount(org.metrics_count)}
            </Text>
          </div>
          <Button
            flex="none"
            onClick={() => visit.mutate(org.id)}
            loading={visit.isPending && visit.variables === org.id}
            aria-label={`${texts.demoButton}: ${org.name}`}
          >
            {texts.demoButton}
          </Button>
        </Group>
      ))}
      <FormFailure error={visit.error} />
      {name && (
        <Text size="xs" className="dim" mb="sm">
          {texts.demoEndsSession(name)}
        </Text>
      )}
      <ToSignIn />
    </Frame>
  );
}
