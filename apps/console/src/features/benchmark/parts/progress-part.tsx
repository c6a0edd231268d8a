import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { useSetEmail } from '../api/benchmark';
import { texts } from '../benchmark.texts';
import { type ModelResult } from '../compare';

/** The progress of a benchmark. */
export function ProgressPart({
  benchmarks,
  results,
}: {
  benchmarks: readonly Schema<'BenchmarkDto'>[];
  results: readonly ModelResult[];
}) {
  const percent = Math.floor(benchmarks.reduce((sum, one) => sum + one.percent, 0) / benchmarks.length);
  const isWaiting = benchmarks.every(({ status }) => status === 'queued');
  const [first] = benchmarks;
  return (
    <Stack gap="xs" component="section" aria-label={texts.progress} maw={760}>
      <Text size="sm" role="status">
        {isWaiting ? texts.waiting : texts.underWay(percent)}
      </Text>
      <Progress value={percent} aria-label={texts.progress} />
      <Group gap="4px 16px" component="ul" m={0} p={0} aria-label={texts.modelStates} style={{ listStyle: 'none' }}>
        {results.map(({ id, name, status }) => (
          <Text key={id} size="xs" component="li" className={status === 'running' ? undefined : 'dim'}>
            {name}: {texts.states[status]}
          </Text>
        ))}
      </Group>
      <Text size="sm" className="dim">
        {texts.leave}
      </Text>
      {first && <MailForm benchmark={first} />}
    </Stack>
  );
}

function MailForm({ benchmark: { benchmark_id: id, email_set: isSet } }: { benchmark: Schema<'BenchmarkDto'> }) {
  const [email, setEmail] = useState('');
  const client = useQueryClient();
  const setEmailAddress = useSetEmail(id);
  if (isSet || setEmailAddress.isSuccess) {
    return (
      <Text size="sm" role="status">
        {texts.mailSet}
      </Text>
    );
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setEmailAddress.mutate(email.trim(), {
      onSuccess: () => void client.invalidateQueries({ queryKey: ['benchmark', 'status', id] }),
    });
  };
  return (
    <form onSubmit={submit} aria-label={texts.mail}>
      <Group gap="xs" align="flex-end">
        <TextInput
          type="email"
          required
          maxLength={254}
          label={texts.mail}
          placeholder={texts.mailLabel}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={setEmailAddress.isPending}>
          {texts.mailSend}
        </Button>
      </Group>
      {setEmailAddress.error && <Failed error={setEmailAddress.error} />}
    </form>
  );
}
