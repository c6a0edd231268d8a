import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import { ApiError } from '../../../lib/api';
import { useZone } from '../../../lib/zone';
import { fullTimeText } from '../../../lib/time';
import { EXPIRIES, type Expiry, type Permission, PERMISSIONS, type TokenDraft, type TokenLack } from '../token-form';
import { texts } from '../tokens.texts';

const LONGEST_NAME = 100;

interface TokenFieldsProps {
  draft: TokenDraft;
  onChange: (part: Partial<TokenDraft>) => void;
  /** The missing fields, after the user has tried to send the form. */
  lack: TokenLack;
  error: unknown;
  /** For an existing token: its permissions, to which none can be added, and its expiry. */
  token?: { permissions: readonly Permission[]; validUntil: number | null };
}

/** The fields of a token, new or existing. */
export function TokenFields({ draft, onChange, lack, error, token }: TokenFieldsProps) {
  const zone = useZone();
  const problemOf = (field: string): string | undefined =>
    error instanceof ApiError ? error.problemOf(field) : undefined;
  const end = token?.validUntil ?? null;
  const expiries: { value: Expiry; label: string }[] = [
    ...(end === null ? [] : [{ value: 'keep' as const, label: texts.keepExpiry(fullTimeText(end, zone)) }]),
    ...EXPIRIES.map((value) => ({ value, label: texts.expiry[value] })),
  ];
  return (
    <Stack gap="sm">
      <TextInput
        label={texts.name}
        placeholder={texts.nameHint}
        maxLength={LONGEST_NAME}
        data-autofocus
        value={draft.name}
        error={lack.name ? texts.noName : problemOf('name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={texts.may}
        description={token && texts.mayFewer}
        value={[...draft.permissions]}
        error={lack.permissions ? texts.noPermission : problemOf('permissions')}
        onChange={(chosen) => onChange({ permissions: PERMISSIONS.filter((one) => chosen.includes(one)) })}
      >
        <Stack gap={6} mt={6}>
          {PERMISSIONS.map((permission) => (
            <Checkbox
              key={permission}
              size="xs"
              value={permission}
              disabled={token !== undefined && !token.permissions.includes(permission)}
              label={texts.permissions[permission]}
              description={texts.permissionHints[permission]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={texts.expires}
        maw={320}
        allowDeselect={false}
        data={expiries}
        value={draft.expiry}
        onChange={(expiry) => onChange({ expiry: expiry! })}
      />
      {draft.expiry === 'date' && (
        <>
          <TextInput
            type="datetime-local"
            label={texts.expiresAt}
            maw={320}
            value={draft.date}
            error={lack.date ? texts.badTime : problemOf('valid_until')}
            onChange={(event) => onChange({ date: event.currentTarget.value })}
          />
          <Text size="xs" className="dim">
            {zone}
          </Text>
        </>
      )}
    </Stack>
  );
}
