import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { useTestService } from '../api/integrations';
import { texts } from '../integrations.texts';
import { Section } from './section';

/** Sends a test message and shows the outcome. */
export function IntegrationTest({ service }: { service: Schema<'ServiceDto'> }) {
  const [recipient, setRecipient] = useState('');
  const test = useTestService(service.id);
  const label = texts.recipient[service.id];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    test.mutate(recipient.trim());
  };
  const problem = test.error instanceof ApiError ? test.error.problemOf('recipient') : undefined;
  if (!service.connected) {
    return (
      <Section title={texts.test}>
        <Text size="sm" className="dim">
          {texts.testNeeds}
        </Text>
      </Section>
    );
  }
  return (
    <Section title={texts.test} text={texts.testText}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={560} align="flex-start">
          {label !== undefined && (
            <TextInput
              label={label}
              description={texts.recipientHint[service.id]}
              maxLength={254}
              w="100%"
              value={recipient}
              error={problem}
              onChange={(event) => setRecipient(event.currentTarget.value)}
            />
          )}
          <Button type="submit" variant="default" loading={test.isPending}>
            {texts.sendTest}
          </Button>
          {test.error && (problem === undefined || label === undefined) && <Failed error={test.error} />}
          {test.data && (
            <Alert color={test.data.ok ? 'green' : 'red'} variant="light" role="status" w="100%">
              <Text size="sm">
                {test.data.message} {texts.took(test.data.duration_seconds.toFixed(1))}
              </Text>
            </Alert>
          )}
        </Stack>
      </form>
    </Section>
  );
}
