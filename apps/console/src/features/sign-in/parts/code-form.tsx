import { Button } from '@mantine/core';
import { validateClient } from '../api/login';
import { texts } from '../sign-in.texts';
import { CodeField } from './fields';
import { FormFailure, FormStack } from './frame';
import { type Problems, useSignInForm } from './sign-in-form';

const CODE = /^\d{6}$/;
const TEXTS = { code_invalid: texts.codeInvalid };

/** The second step of a sign-in. With the token of a mailed link, it works in any browser. */
export function CodeForm({ code, token, onDone }: { code?: string; token?: string; onDone: () => void }) {
  const form = useSignInForm({
    check: (values): Problems => (CODE.test(values.code?.trim() ?? '') ? {} : { code: texts.codeForm }),
    send: (values) => validateClient({ code: values.code!.trim(), ...(token === undefined ? {} : { token }) }),
    onDone,
    places: { code_invalid: 'code' },
    errorTexts: TEXTS,
  });
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <FormStack>
        <CodeField problems={form.problems} value={code} autoFocus={code === undefined} />
        <FormFailure error={form.failure} />
        <Button type="submit" size="sm" loading={form.isSending} autoFocus={code !== undefined}>
          {texts.codeButton}
        </Button>
      </FormStack>
    </form>
  );
}
