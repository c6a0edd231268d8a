import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Loading } from '../../components/page-states';
import { type Schema } from '../../lib/api';
import { loginMethodsQuery } from '../../lib/login-methods';
import { returnPath } from '../../lib/return-path';
import { demoOrgsQuery, forgotPassword, login, visitorQuery } from './api/login';
import { CodeForm } from './parts/code-form';
import { EmailField, PasswordField } from './parts/fields';
import { FormFailure, FormStack, Frame } from './parts/frame';
import { checkEmail, missing, useSignInForm } from './parts/sign-in-form';
import { useEnter } from './parts/use-enter';
import { type LoginSearch } from './login-search';
import { texts } from './sign-in.texts';
import classes from './parts/frame.module.css';

export function LoginPage() {
  const { return_to: returnTo, error, view }: LoginSearch = useSearch({ strict: false });
  const visitor = useQuery(visitorQuery);
  // Requested immediately: the options of the form must not change while it is read.
  const methods = useQuery(loginMethodsQuery);
  const [isOther, setOther] = useState(false);
  const enter = useEnter();
  const path = returnPath(returnTo);
  if (visitor.isPending || methods.isPending) {
    return (
      <Frame title={texts.loginTitle}>
        <Loading>
          <Stack gap="sm">
            <Skeleton height={56} />
            <Skeleton height={56} />
            <Skeleton height={36} />
          </Stack>
        </Loading>
      </Frame>
    );
  }
  if (view === 'forgot') return <Forgot hasMail={methods.data?.mail ?? true} />;
  if (visitor.data && !isOther) {
    return <SignedIn user={visitor.data} onGo={() => enter(path)} onOther={() => setOther(true)} />;
  }
  return <Login error={error} path={path} onDone={() => enter(path)} />;
}

function SignedIn({ user, onGo, onOther }: { user: Schema<'UserDto'>; onGo: () => void; onOther: () => void }) {
  return (
    <Frame title={texts.signedInTitle} text={texts.signedInAs(user.name || user.email, user.org.name)}>
      <Stack gap="sm">
        <Button size="sm" onClick={onGo} autoFocus>
          {texts.goOn}
        </Button>
        <Button size="sm" variant="default" onClick={onOther}>
          {texts.asOther}
        </Button>
      </Stack>
    </Frame>
  );
}

function Login({ error, path, onDone }: { error?: string; path: string; onDone: () => void }) {
  const methods = useQuery(loginMethodsQuery);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useSignInForm({
    check: (values) => ({ ...checkEmail(values), ...missing(values, 'password') }),
    send: (values) => login({ email: values.email!.trim(), password: values.password! }),
    onDone: (answer) => (answer.validation_required ? setSentTo(answer.validation?.sent_to ?? '') : onDone()),
    places: { login_failed: 'password' },
  });
  if (sentTo !== null) {
    return (
      <Frame title={texts.codeTitle} text={texts.codeSent(sentTo)}>
        <CodeForm onDone={onDone} />
        <Button mt="sm" size="sm" fullWidth variant="subtle" onClick={() => setSentTo(null)}>
          {texts.startAgain}
        </Button>
      </Frame>
    );
  }
  const sso = methods.data?.sso;
  return (
    <Frame title={texts.loginTitle}>
      <Stack gap="sm">
        {error !== undefined && (
          <Alert color="red" variant="light" role="alert">
            <Text size="sm">
              {Object.hasOwn(texts.ssoFailed, error) ? texts.ssoFailed[error] : texts.ssoFailedOther}
            </Text>
          </Alert>
        )}
        {sso?.enabled && (
          <>
            <Button component="a" size="sm" variant="default" href={`${sso.url}?return_to=${encodeURIComponent(path)}`}>
              {sso.label}
            </Button>
            <div className={classes.rule}>{texts.or}</div>
          </>
        )}
        <form onSubmit={form.onSubmit} noValidate>
          <FormStack>
            <EmailField problems={form.problems} autoFocus />
            <PasswordField problems={form.problems} />
            <FormFailure error={form.failure} />
            <Button type="submit" size="sm" loading={form.isSending}>
              {texts.signIn}
            </Button>
          </FormStack>
        </form>
        {methods.data && <OtherMethods methods={methods.data} />}
      </Stack>
    </Frame>
  );
}

/** Other methods for people who cannot sign in, as far as they are available. */
function OtherMethods({ methods }: { methods: Schema<'LoginMethodsDto'> }) {
  const demos = useQuery({ ...demoOrgsQuery, enabled: methods.demo });
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        {methods.mail && (
          <Anchor
            component={Link}
            to="."
            search={((current: LoginSearch) => ({ ...current, error: undefined, view: 'forgot' })) as never}
            size="sm"
          >
            {texts.forgot}
          </Anchor>
        )}
        {/* Not with `first`: the first start creates the first organisation itself. */}
        {methods.signup === 'open' && (
          <Anchor component={Link} to="/signup" size="sm">
            {texts.signUpLink}
          </Anchor>
        )}
        {(demos.data?.orgs.length ?? 0) > 0 && (
          <Anchor component={Link} to="/demo" size="sm">
            {texts.demoLink}
          </Anchor>
        )}
      </Group>
      {!methods.mail && (
        <Text size="sm" className="dim">
          {texts.forgotNoMail}
        </Text>
      )}
    </Stack>
  );
}

function Forgot({ hasMail }: { hasMail: boolean }) {
  const [email, setEmail] = useState<string | null>(null);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useSignInForm({
    check: checkEmail,
    send: (values) => forgotPassword({ email: values.email!.trim() }),
    onDone: (_answer, values) => setEmail(values.email!.trim()),
  });
  const goBack = (): void => {
    void queryClient.invalidateQueries({ queryKey: ['login'] });
    void navigate({ to: '.', search: (current: LoginSearch) => ({ ...current, view: undefined }) } as never);
  };
  const back = (
    <Button size="sm" variant="subtle" onClick={goBack}>
      {texts.toSignIn}
    </Button>
  );
  if (!hasMail) {
    return (
      <Frame title={texts.forgotTitle} text={texts.forgotNoMail}>
        {back}
      </Frame>
    );
  }
  if (email !== null) {
    return (
      <Frame title={texts.forgotDoneTitle} text={texts.forgotDone(email)}>
        {back}
      </Frame>
    );
  }
  return (
    <Frame title={texts.forgotTitle} text={texts.forgotText}>
      <form onSubmit={form.onSubmit} noValidate>
        <FormStack>
          <EmailField problems={form.problems} autoFocus />
          <FormFailure error={form.failure} />
          <Button type="submit" size="sm" loading={form.isSending}>
            {texts.forgotButton}
          </Button>
          {back}
        </FormStack>
      </form>
    </Frame>
  );
}
