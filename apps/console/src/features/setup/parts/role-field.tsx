import { Radio, Stack } from '@mantine/core';
import { texts } from '../people.texts';

const ROLES = ['user', 'admin'] as const;

interface RoleFieldProps {
  isAdmin: boolean;
  onChange: (isAdmin: boolean) => void;
  /** Why it cannot be changed. */
  fixed?: string;
}

/** The role of a person, in plain words. */
export function RoleField({ isAdmin, onChange, fixed }: RoleFieldProps) {
  return (
    <Radio.Group
      label={texts.role}
      description={fixed}
      value={isAdmin ? 'admin' : 'user'}
      onChange={(role) => onChange(role === 'admin')}
    >
      <Stack gap={6} mt={6}>
        {ROLES.map((role) => (
          <Radio
            key={role}
            size="xs"
            value={role}
            disabled={fixed !== undefined}
            label={texts.roles[role]}
            description={texts.roleHints[role]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
