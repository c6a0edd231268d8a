import { Button, Group, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { CopyLines } from '../../../components/lines/copy-lines';
import { Pairs } from '../../../components/pairs';
import { Failed } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { useMe } from '../../../lib/me';
import { useSaveService } from '../api/integrations';
import { bodyOf, clearedBody, draftsOf, type IntegrationDraft, lackOf, placeholderOf } from '../integration-form';
import { texts } from '../integrations.texts';
import { texts as setup } from '../setup.texts';
import { AskAdmins } from './ask-admins';
import { ConfirmDialog } from './confirm-dialog';
import { IntegrationField } from './integration-field';
import { Section } from './section';

type Config = Schema<'ServiceConfigDto'>;

/** The settings of an integration: to be changed by administrators, to be read by others. */
export function IntegrationSettings({ config }: { config: Config }) {
  const { admin: isAdmin } = useMe();
  return (
    <Section title={texts.settings} text={isAdmin ? undefined : <AskAdmins why={texts.onlyAdmins} />}>
      {config.fields.length === 0 ? (
        <Text size="sm" className="dim">
          {texts.noSettings}
        </Text>
      ) : isAdmin ? (
        <SettingsForm config={config} />
      ) : (
        <Pairs pairs={config.fields.map((field) => ({ name: field.label, value: shownValue(field) }))} />
      )}
    </Section>
  );
}

function shownValue(field: Config['fields'][number]): string {
  const { value } = field;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value === null ? placeholderOf(field) || texts.unset : String(value);
}

function SettingsForm({ config: { service, fields } }: { config: Config }) {
  const [draft, setDraft] = useState<IntegrationDraft>(() => draftsOf(fields));
  const [isTried, setTried] = useState(false);
  const [isDisconnecting, setDisconnecting] = useState(false);
  const save = useSaveService(service, () => {
    setTried(false);
    setDraft({});
  });
  // Untouched fields show the stored values, also after another user has changed them.
  const shown = { ...draftsOf(fields), ...draft };
  const body = bodyOf(fields, shown);
  const isSound = fields.every((field) => lackOf(field, shown[field.key]) === null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isSound) save.mutate(body);
  };
  const problemOf = (key: string): string | undefined =>
    save.error instanceof ApiError ? save.error.problemOf(key) : undefined;
  const hasPlace = fields.some(({ key }) => problemOf(key) !== undefined);
  const isSet = fields.some(({ source }) => source === 'org');
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={560}>
        {fields.map((field) => (
          <IntegrationField
            key={field.key}
            field={field}
            draft={shown[field.key] ?? ''}
            lack={isTried ? lackOf(field, shown[field.key]) : null}
            problem={problemOf(field.key)}
            onChange={(value) => setDraft((current) => ({ ...current, [field.key]: value }))}
          />
        ))}
        {save.error && !hasPlace && !isDisconnecting && <Failed error={save.error} />}
        <Group gap="sm">
          <Button type="submit" loading={save.isPending} disabled={Object.keys(body).length === 0}>
            {setup.save}
          </Button>
          {isSet && (
            <Button variant="default" onClick={() => setDisconnecting(true)}>
              {texts.disconnect}
            </Button>
          )}
        </Group>
        <GeneratedSecret properties={save.data?.properties} />
      </Stack>
      {isDisconnecting && (
        <ConfirmDialog
          title={texts.disconnectTitle(service.name)}
          label={texts.disconnectNow}
          isPending={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate(clearedBody(fields), { onSuccess: () => setDisconnecting(false) })}
          onClose={() => setDisconnecting(false)}
        >
          {texts.disconnectText}
        </ConfirmDialog>
      )}
    </form>
  );
}

/** A secret that was made with the last change: the API shows it once, all others are masked. */
function GeneratedSecret({ properties }: { properties: Schema<'ServiceChangedDto'>['properties'] | undefined }) {
  const secret: unknown = properties?.secret;
  if (typeof secret !== 'string' || !secret.startsWith(GENERATED_PREFIX)) return null;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600} role="status">
        {texts.secretMade}
      </Text>
      <CopyLines title={texts.secretLabel} text={secret} label={texts.secretLabel} />
    </Stack>
  );
}

/** How whole signing secrets begin. */
const GENERATED_PREFIX = 'whsec_';
