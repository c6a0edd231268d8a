import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ExcludeButton } from '../../../components/exclude-button';
import { KeyButton } from '../../../components/key-button';
import { Failed } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { useHotkeyList, type Hotkey } from '../../../lib/hotkeys';
import { useMayWrite } from '../../../lib/me';
import { acknowledge, reloadVerdicts, untrain } from '../api/anomaly';
import { useAnomalySearch, useSetAnomalySearch, type AnomalySearch } from '../anomaly-search';
import { texts } from '../anomaly.texts';
import classes from '../anomaly.module.css';
import { AcknowledgePanel } from './acknowledge-panel';
import { TeachPanel } from './teach-panel';

/** The possible verdicts on the anomaly; the selected one opens below. */
export function VerdictButtons({ answer, zone }: { answer: Schema<'AnomalyAnswerDto'>; zone: string }) {
  const { anomaly } = answer;
  const mayWrite = useMayWrite();
  const { say } = useAnomalySearch();
  const setSearch = useSetAnomalySearch();
  const client = useQueryClient();
  const id = anomaly.id ?? 0;
  const undo = useMutation({
    mutationFn: async (what: 'ack' | 'teaching'): Promise<void> => {
      await (what === 'ack' ? acknowledge(id, { acknowledged: false }) : untrain(id));
    },
    onSuccess: () => reloadVerdicts(client),
  });
  const isOpen = anomaly.state === 'open';
  const isAcknowledged = anomaly.acknowledged_at !== null;
  const { trainable, trainable_status: status } = anomaly.training;
  const isTaught = ['trained', 'pending', 'confirmed'].includes(status);
  const canAcknowledge = mayWrite && isOpen && !isAcknowledged;
  const canTeach = mayWrite && trainable && anomaly.id !== null;
  const toggle = (what: NonNullable<AnomalySearch['say']>): void => setSearch({ say: say === what ? undefined : what });

  const keys = useHotkeys({ canAcknowledge, canTeach, setSearch });
  useHotkeyList(keys);

  if (!mayWrite) {
    return (
      <Text size="sm" className="dim">
        {texts.readOnly}
      </Text>
    );
  }
  const close = (): void => setSearch({ say: undefined });
  return (
    <>
      <div className={classes.buttons}>
        {isAcknowledged && isOpen ? (
          <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate('ack')}>
            {texts.takeBackAcknowledgement}
          </Button>
        ) : (
          <KeyButton
            hotkey="a"
            variant="default"
            disabled={!canAcknowledge}
            isPressed={say === 'ack'}
            onClick={() => toggle('ack')}
          >
            {texts.acknowledge}
          </KeyButton>
        )}
        <KeyButton hotkey="e" disabled={!canTeach} isPressed={say === 'expected'} onClick={() => toggle('expected')}>
          {texts.expectedButton}
        </KeyButton>
        <KeyButton
          hotkey="r"
          variant="default"
          disabled={!canTeach}
          isPressed={say === 'real'}
          onClick={() => toggle('real')}
        >
          {texts.realButton}
        </KeyButton>
        <ExcludeButton metric={anomaly.metric} group={texts.groupPage} />
      </div>
      {!isOpen && (
        <Text size="xs" className="dim">
          {texts.ackClosed}
        </Text>
      )}
      {!trainable && (
        <Group gap={8}>
          <Text size="xs" className="dim">
            {texts.status[status]}
          </Text>
          {isTaught && (
            <Button variant="subtle" size="compact-xs" loading={undo.isPending} onClick={() => undo.mutate('teaching')}>
              {texts.undoTeaching}
            </Button>
          )}
        </Group>
      )}
      {undo.isError && <Failed error={undo.error} />}
      {say === 'ack' && canAcknowledge && <AcknowledgePanel answer={answer} onClose={close} />}
      {(say === 'expected' || say === 'real') && canTeach && (
        <TeachPanel key={say} anomaly={anomaly} expected={say === 'expected'} zone={zone} onClose={close} />
      )}
    </>
  );
}

function useHotkeys({
  canAcknowledge,
  canTeach,
  setSearch,
}: {
  canAcknowledge: boolean;
  canTeach: boolean;
  setSearch: (change: AnomalySearch) => void;
}): Hotkey[] {
  return useMemo<Hotkey[]>(() => {
    const group = texts.groupPage;
    return [
      ...(canAcknowledge ? [{ keys: 'a', label: texts.acknowledge, group, run: () => setSearch({ say: 'ack' }) }] : []),
      ...(canTeach
        ? [
            { keys: 'e', label: texts.expectedButton, group, run: () => setSearch({ say: 'expected' }) },
            { keys: 'r', label: texts.realButton, group, run: () => setSearch({ say: 'real' }) },
          ]
        : []),
    ];
  }, [canAcknowledge, canTeach, setSearch]);
}
