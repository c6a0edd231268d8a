import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { Pairs } from '../../../components/pairs';
import { Failed } from '../../../components/page-states';
import { ApiError } from '../../../lib/api';
import { useDraft } from '../../../lib/draft';
import { useMe } from '../../../lib/me';
import { useSaveGeneral, zonesQuery } from '../api/organisation';
import { texts } from '../organisation.texts';
import { texts as setup } from '../setup.texts';
import { Section } from './section';

const MAX_SHOWN = 50;

/** Name and zone of the organisation. */
export function GeneralPart() {
  const { admin: isAdmin, org } = useMe();
  return (
    <Section title={texts.general}>
      {isAdmin ? (
        // Restarts with the saved values, whether they were saved here or elsewhere.
        <GeneralForm key={`${org.name} ${org.timezone}`} />
      ) : (
        <Pairs
          pairs={[
            { name: texts.name, value: <bdi>{org.name}</bdi> },
            { name: texts.timezone, value: org.timezone },
          ]}
        />
      )}
    </Section>
  );
}

function GeneralForm() {
  const { org } = useMe();
  const before = { name: org.name, timezone: org.timezone };
  const [draft, setDraft] = useDraft('organisation', before);
  const [isTried, setTried] = useState(false);
  const zones = useQuery(zonesQuery);
  const save = useSaveGeneral();
  const name = draft.name.trim();
  const isChanged = name !== before.name || draft.timezone !== before.timezone;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (name !== '' && isChanged) save.mutate({ before, after: { name, timezone: draft.timezone } });
  };
  const problemOf = (field: string): string | undefined =>
    save.error instanceof ApiError ? save.error.problemOf(field) : undefined;
  const known = zones.data?.timezones.map((zone) => ({ value: zone.name, label: zone.label })) ?? [
    { value: draft.timezone, label: draft.timezone },
  ];
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={420}>
        <TextInput
          label={texts.name}
          maxLength={100}
          autoComplete="organization"
          value={draft.name}
          error={isTried && name === '' ? texts.noName : problemOf('name')}
          onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, name: value }))}
        />
        <Select
          label={texts.timezone}
          description={texts.timezoneHint}
          data={known}
          searchable
          allowDeselect={false}
          limit={MAX_SHOWN}
          value={draft.timezone}
          error={problemOf('timezone')}
          onChange={(timezone) => timezone !== null && setDraft((current) => ({ ...current, timezone }))}
        />
        {draft.timezone !== before.timezone && <Text size="sm">{texts.zoneCost}</Text>}
        {save.error && <Failed error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {setup.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
