import { Button, Checkbox, Group, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Failed } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { useDraft } from '../../../lib/draft';
import { offerUndo } from '../../../lib/undo';
import { acknowledge, reloadVerdicts } from '../api/anomaly';
import { texts } from '../anomaly.texts';
import classes from '../anomaly.module.css';

const NOTHING = { note: '', isForIncident: false };

/** Acknowledges an open anomaly, optionally with a note and for its whole incident. */
export function AcknowledgePanel({ answer, onClose }: { answer: Schema<'AnomalyAnswerDto'>; onClose: () => void }) {
  const { anomaly, incident } = answer;
  const [{ note, isForIncident }, change] = useDraft(`acknowledge ${String(anomaly.id)}`, NOTHING);
  const client = useQueryClient();
  const id = anomaly.id!;
  const save = useMutation({
    mutationFn: () => acknowledge(id, { acknowledged: true, note, incident: isForIncident }),
    onSuccess: ({ acknowledged_ids: ids }) => {
      onClose();
      offerUndo(texts.acked, texts.undo, async () => {
        await Promise.all(ids.map((each) => acknowledge(each, { acknowledged: false })));
        await reloadVerdicts(client);
      });
      return reloadVerdicts(client);
    },
  });
  const problem = save.error instanceof ApiError ? save.error.problemOf('note') : undefined;
  return (
    <section className={classes.panel}>
      <Title order={2} size="h3">
        {texts.ackTitle}
      </Title>
      <Text size="sm">{texts.ackText}</Text>
      <Textarea
        label={texts.ackNote}
        placeholder={texts.ackNoteHint}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={1000}
        size="sm"
        value={note}
        error={problem}
        onChange={({ currentTarget: { value } }) => change((current) => ({ ...current, note: value }))}
      />
      {incident && incident.anomalies_count > 1 && (
        <Checkbox
          size="xs"
          label={texts.ackIncident(incident.anomalies_count)}
          checked={isForIncident}
          onChange={({ currentTarget: { checked } }) => change((current) => ({ ...current, isForIncident: checked }))}
        />
      )}
      {save.isError && problem === undefined && <Failed error={save.error} />}
      <Group gap={8}>
        <Button autoFocus loading={save.isPending} onClick={() => save.mutate()}>
          {texts.acknowledge}
        </Button>
        <Button variant="default" onClick={onClose}>
          {texts.close}
        </Button>
      </Group>
    </section>
  );
}
