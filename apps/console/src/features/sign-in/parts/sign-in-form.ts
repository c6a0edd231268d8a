import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type SubmitEvent } from 'react';
import { ApiError } from '../../../lib/api';
import { isEmail } from '../../../lib/email';
import { texts } from '../sign-in.texts';

export type Values = Readonly<Record<string, string>>;
export type Problems = Readonly<Record<string, string>>;

interface FormPlan<Result> {
  /** Texts by field name, for errors that are detected before sending. */
  check: (values: Values) => Problems;
  send: (values: Values) => Promise<Result>;
  onDone: (result: Result, values: Values) => void;
  /** Field names by API parameter, if they differ. */
  names?: Readonly<Record<string, string>>;
  /** The field for an error without a parameter, by the code of the error. */
  places?: Readonly<Record<string, string>>;
  /** Texts that replace those of the server, by the code of the error. */
  errorTexts?: Readonly<Record<string, string>>;
}

export interface SignInForm {
  problems: Problems;
  /** The error that belongs to no field. */
  failure: Error | null;
  isSending: boolean;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

/** A form whose values stay in its fields: password managers fill them, and their content is sent. */
export function useSignInForm<Result>(plan: FormPlan<Result>): SignInForm {
  const [element, setElement] = useState<HTMLFormElement | null>(null);
  const [problems, setProblems] = useState<Problems>({});
  const mutation = useMutation({
    mutationFn: plan.send,
    onSuccess: plan.onDone,
    onError: (error) => setProblems(problemsOf(error, plan)),
  });
  useEffect(() => {
    if (Object.keys(problems).length > 0) element?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems, element]);
  return {
    problems,
    failure: mutation.error !== null && Object.keys(problems).length === 0 ? mutation.error : null,
    isSending: mutation.isPending,
    onSubmit: (event) => {
      event.preventDefault();
      setElement(event.currentTarget);
      if (mutation.isPending) return;
      const values: Values = Object.fromEntries(
        [...new FormData(event.currentTarget)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
      );
      const found = plan.check(values);
      setProblems(found);
      mutation.reset();
      if (Object.keys(found).length === 0) mutation.mutate(values);
    },
  };
}

function problemsOf(
  error: unknown,
  { names = {}, places = {}, errorTexts = {} }: Pick<FormPlan<never>, 'names' | 'places' | 'errorTexts'>,
): Problems {
  if (!(error instanceof ApiError)) return {};
  const place = places[error.code];
  if (place !== undefined) return { [place]: errorTexts[error.code] ?? error.message };
  return Object.fromEntries(
    error.problems.flatMap(({ field, code, message }) =>
      field ? [[names[field] ?? field, texts.problems[code] ?? message]] : [],
    ),
  );
}

/** Texts of fields that are empty. */
export function missing(values: Values, ...names: string[]): Problems {
  return Object.fromEntries(names.flatMap((name) => (values[name]?.trim() ? [] : [[name, texts.required]])));
}

export function checkEmail(values: Values): Problems {
  return values.email && !isEmail(values.email) ? { email: texts.badEmail } : missing(values, 'email');
}

const SHORTEST_PASSWORD = 12;

export function checkNewPassword(values: Values): Problems {
  const length = values.password?.length ?? 0;
  return length > 0 && length < SHORTEST_PASSWORD ? { password: texts.shortPassword } : missing(values, 'password');
}
