import { Text } from '@mantine/core';
import { type Schema } from '../lib/api';
import { isolated } from '../lib/isolated';
import { useAcknowledge } from '../lib/acknowledge';
import { useMayWrite } from '../lib/me';
import { texts } from './components.texts';
import { KeyButton } from './key-button';

export const canAcknowledge = (incident: Schema<'IncidentDto'>): boolean =>
  incident.state === 'open' && incident.acknowledged_at === null;

/** Acknowledges all open anomalies of an incident; afterwards it shows who did. */
export function AcknowledgeIncident({ incident }: { incident: Schema<'IncidentDto'> }) {
  const mayWrite = useMayWrite();
  const { mutate, isPending } = useAcknowledge();
  if (incident.acknowledged_at !== null) {
    const name = incident.acknowledged_by_display_name;
    return (
      <Text size="xs" className="dim" span>
        {name === null || name === '' ? texts.acknowledgedAtOnce : texts.acknowledgedBy(isolated(name))}
      </Text>
    );
  }
  if (!mayWrite || !canAcknowledge(incident)) return null;
  return (
    <KeyButton hotkey="a" variant="default" loading={isPending} onClick={() => mutate({ incidentId: incident.id })}>
      {texts.acknowledge}
    </KeyButton>
  );
}
