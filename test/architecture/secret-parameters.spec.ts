import { redactedUrl } from '../../apps/server/src/common/telemetry/access-log.js';
import { describeApi } from '../../apps/server/src/views/doc/openapi.js';
import { createPreviewApp } from '../support/app.js';

interface Described {
  parameters?: { name: string; in: string }[];
  requestBody?: { content?: Record<string, { schema?: { $ref?: string; properties?: object } }> };
}

/** Names of all parameters. An address may contain each of them, even if it belongs in the body. */
async function parameterNames(): Promise<string[]> {
  const { paths, components } = describeApi(await createPreviewApp());
  const names = new Set<string>();
  for (const item of Object.values(paths)) {
    for (const { parameters, requestBody } of Object.values(item as Record<string, Described>)) {
      for (const parameter of parameters ?? []) names.add(parameter.name);
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        const schemas = components?.schemas as Record<string, { properties?: object }> | undefined;
        const named = schemas?.[schema?.$ref?.split('/').at(-1) ?? ''];
        for (const name of Object.keys({ ...schema?.properties, ...named?.properties })) names.add(name);
      }
    }
  }
  return [...names].sort();
}

it('parameters with credentials or secrets are hidden in the access log', async () => {
  const names = await parameterNames();
  expect(names.length).toBeGreaterThan(200);
  const hidden = names.filter((name) => redactedUrl(`/api/x?${name}=shown`).endsWith('[hidden]'));
  const open = hidden.filter((name) => !name.includes('email'));
  expect(open).toEqual([
    'Stripe-Signature',
    'alert_code',
    'auth_token',
    'bearer_token',
    'benchmark_id',
    'chat_api_token',
    'checkout_session_id',
    'code',
    'data_file',
    'document',
    'headers_set',
    'new_password_1',
    'new_password_2',
    'old_password',
    'password',
    'password_1',
    'password_2',
    'routing_key',
    'secret',
    'smtp_password',
    'teams_chat_webhook',
    'timeseries',
    'token',
    'token_id',
    'url',
    'verification_token',
    'webhook',
  ]);
});
