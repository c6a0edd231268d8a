import { Button, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Time } from '../../../components/times';
import rows from '../../../components/rows.module.css';
import { lastedText } from '../../../lib/time';
import { fromInputText, inputText } from '../../../lib/time-input';
import { useSetWindow } from '../../../lib/window';
import { useZone } from '../../../lib/zone';
import { texts } from '../benchmark.texts';
import { type Label, labelOf, MAX_LABELS } from '../labels';
import { type Labels } from '../use-labels';

const SHOWN_AT_FIRST = 20;
/** Margin on each side of a shown label, in multiples of its length. */
const AROUND = 3;
const MIN_AROUND = 600;

/** The labels, with a form for the times of a new one. `seed`: the initial values of the form. */
export function LabelList({
  labels,
  series,
  seed = series,
}: {
  labels: Labels;
  series: { from: number; until: number };
  seed?: { from: number; until: number };
}) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  // The input is in the zone of the page: if the zone changes, the fields are reset.
  const zone = useZone();
  const { list } = labels;
  return (
    <Stack gap="xs" component="section" aria-labelledby="labels">
      <Title order={2} id="labels">
        {texts.labels}
      </Title>
      <Text size="sm" className="dim">
        {texts.labelsNote}
      </Text>
      <AddLabel key={zone} zone={zone} labels={labels} series={series} seed={seed} />
      {labels.isFull && <Text size="sm">{texts.tooMany(MAX_LABELS)}</Text>}
      {list.length === 0 ? (
        <Text size="sm">{texts.noLabels}</Text>
      ) : (
        <Table aria-labelledby="labels">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.labelColumns.label}</Table.Th>
              <Table.Th>{texts.labelColumns.from}</Table.Th>
              <Table.Th>{texts.labelColumns.length}</Table.Th>
              <Table.Th aria-label={texts.labelColumns.acts} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.slice(0, shown).map((label, i) => (
              <Row key={label[0]} label={label} number={i + 1} onRemove={() => labels.remove([label])} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group gap="xs">
        {list.length > shown && (
          <Button variant="default" onClick={() => setShown(list.length)}>
            {texts.more(list.length - shown)}
          </Button>
        )}
        {list.length > 1 && (
          <Button variant="default" onClick={() => labels.remove(list)}>
            {texts.removeAll}
          </Button>
        )}
        {labels.isChanged && (
          <Button variant="default" onClick={labels.reset}>
            {texts.back}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function AddLabel({
  zone,
  labels,
  series,
  seed,
}: {
  zone: string;
  labels: Labels;
  series: { from: number; until: number };
  seed: { from: number; until: number };
}) {
  const [first, setFirst] = useState(() => inputText(seed.from, zone, 'second'));
  const [last, setLast] = useState(() => inputText(seed.until, zone, 'second'));
  const [from, until] = [fromInputText(first, zone), fromInputText(last, zone)];
  const label = from === null || until === null || from > until ? null : labelOf({ from, until }, series);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (label) labels.add(label);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="xs" align="flex-end">
        <TextInput
          type="datetime-local"
          step={1}
          flex="1 1 180px"
          miw={0}
          label={texts.from}
          value={first}
          onChange={(event) => setFirst(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          step={1}
          flex="1 1 180px"
          miw={0}
          label={texts.until}
          value={last}
          aria-invalid={label === null || undefined}
          onChange={(event) => setLast(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={label === null || labels.isFull}>
          {texts.add}
        </Button>
      </Group>
      <Text size="xs" className="dim" role="status">
        {label === null ? texts.badLabel : zone}
      </Text>
    </form>
  );
}

function Row({ label: [from, until], number, onRemove }: { label: Label; number: number; onRemove: () => void }) {
  const setWindow = useSetWindow();
  const around = Math.max(MIN_AROUND, AROUND * (until - from));
  return (
    <Table.Tr className={rows.row}>
      <Table.Td className={rows.when}>{texts.label(number)}</Table.Td>
      <Table.Td className={rows.when}>
        <Time at={from} />
      </Table.Td>
      <Table.Td className={rows.when}>{lastedText(until - from)}</Table.Td>
      <Table.Td>
        <Group gap={0} justify="flex-end">
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={texts.showOf(number)}
            onClick={() => setWindow({ from: from - around, until: until + around })}
          >
            {texts.show}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={texts.removeOf(number)}
            onClick={onRemove}
          >
            {texts.remove}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
