import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Pairs } from '../../../components/pairs';
import { Failed } from '../../../components/page-states';
import { ApiError } from '../../../lib/api';
import { useDraft } from '../../../lib/draft';
import { useMe } from '../../../lib/me';
import { useSaveVariables } from '../api/organisation';
import {
  changesOf,
  type Cost,
  costsOf,
  shownText,
  textOf,
  valueOf,
  type VariableName,
  type Variables,
  VARIABLES,
} from '../analysis-variables';
import { texts } from '../organisation.texts';
import { texts as setup } from '../setup.texts';
import { Section } from './section';

/** How data is stored and analysed; the cost of a change is shown next to the button. */
export function VariablesPart({ variables }: { variables: Variables }) {
  const { admin: isAdmin } = useMe();
  return (
    <Section title={texts.variables} text={isAdmin ? texts.variablesText : undefined}>
      {isAdmin ? (
        <VariablesForm variables={variables} />
      ) : (
        <Pairs
          pairs={VARIABLES.map(({ name }) => ({ name: texts.fields[name], value: shownText(name, variables[name]) }))}
        />
      )}
    </Section>
  );
}

const EMPTY: Partial<Record<VariableName, string>> = {};

function VariablesForm({ variables }: { variables: Variables }) {
  // Untouched fields show the stored values.
  const [draft, setDraft] = useDraft('variables', EMPTY);
  const [isTried, setTried] = useState(false);
  const save = useSaveVariables(() => {
    setDraft(() => EMPTY);
    setTried(false);
  });
  const given = VARIABLES.flatMap(({ name }) => {
    const text = draft[name];
    return text === undefined ? [] : [{ name, value: valueOf(name, text) }];
  });
  const isSound = given.every(({ value }) => value !== undefined);
  const changes = changesOf(
    variables,
    Object.fromEntries(given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
  );
  const costs = costsOf(variables, changes);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isSound && costs.length > 0) save.mutate(changes);
  };
  const problemOf = (name: VariableName): string | undefined => {
    if (isTried && given.some((one) => one.name === name && one.value === undefined)) return texts.badNumber;
    return save.error instanceof ApiError ? save.error.problemOf(name) : undefined;
  };
  const hasPlace = VARIABLES.some(({ name }) => problemOf(name) !== undefined);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={860}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
          {VARIABLES.map(({ name, unit, options }) => {
            const common = {
              label: unit === 'n' ? texts.fields[name] : `${texts.fields[name]} (${texts.units[unit]})`,
              description: texts.hints[name],
              error: problemOf(name),
              value: draft[name] ?? textOf(name, variables[name]),
            };
            const change = (text: string): void => setDraft((current) => ({ ...current, [name]: text }));
            return options ? (
              <Select
                key={name}
                {...common}
                allowDeselect={false}
                data={options}
                onChange={(text) => change(text ?? '')}
              />
            ) : (
              <TextInput
                key={name}
                {...common}
                inputMode="decimal"
                autoComplete="off"
                placeholder={name === 'metric_limit' ? texts.none : undefined}
                onChange={(event) => change(event.currentTarget.value)}
              />
            );
          })}
        </SimpleGrid>
        {costs.length > 0 && <Costs costs={costs} />}
        {save.error && !hasPlace && <Failed error={save.error} />}
        <Group gap="sm">
          <Button type="submit" loading={save.isPending} disabled={Object.keys(draft).length === 0}>
            {costs.length > 0 ? texts.save : setup.save}
          </Button>
          {Object.keys(draft).length > 0 && (
            <Button variant="default" onClick={() => setDraft(() => EMPTY)}>
              {setup.cancel}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Costs({ costs }: { costs: readonly Cost[] }) {
  const isLoss = costs.some((cost) => cost.isLoss);
  return (
    <Alert color={isLoss ? 'red' : 'gray'} variant="light" title={texts.costs} role="status">
      <Stack gap={6}>
        {costs.map((cost) => (
          <Text key={cost.name} size="sm" fw={cost.isLoss ? 600 : undefined}>
            {cost.text}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
