import { Anchor, Checkbox, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AskAdmins } from '../../../components/ask-admins';
import { ChannelField } from '../../../components/channel-field';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { useMe } from '../../../lib/me';
import { useNow } from '../../../lib/now';
import { agoText } from '../../../lib/time';
import { servicesQuery, usersQuery } from '../api/watcher-editor';
import { canSend, type WatcherDraft } from '../watcher-draft';
import classes from '../watcher-editor.module.css';
import { texts } from '../watcher-editor.texts';

type Switch = 'pagerduty' | 'alertmanager' | 'webhook';
const SWITCHES: readonly Switch[] = ['pagerduty', 'alertmanager', 'webhook'];

/** The recipients of a watcher by channel, and whether each channel works. */
export function Channels({
  draft,
  change,
  problemOf,
}: {
  draft: WatcherDraft;
  change: (part: Partial<WatcherDraft>) => void;
  problemOf: (field: string) => string | undefined;
}) {
  const me = useMe();
  const users = useQuery(usersQuery);
  const services = useQuery(servicesQuery);
  const active = (users.data?.users ?? [me]).filter(({ state }) => state === 'active');
  const serviceOf = (id: string): Schema<'ServiceDto'> | undefined =>
    services.data?.services.find((service) => service.id === id);
  const isThere = (id: string): boolean => serviceOf(id)?.connected ?? true;
  const { mailTo, smsTo, chatChannel, teamsWebhook } = draft;
  const hasChannel =
    mailTo.length > 0 ||
    smsTo.length > 0 ||
    chatChannel.trim() !== '' ||
    teamsWebhook.trim() !== '' ||
    SWITCHES.some((id) => draft[id]);
  const choices = (people: readonly Schema<'UserDto'>[]) =>
    people.map(({ id, name, email }) => ({ value: String(id), label: name || email }));
  const reachable = active.filter(
    ({ id, phone_number: phone }) => (phone !== null && phone !== '') || smsTo.includes(id),
  );
  return (
    <fieldset className={classes.channels}>
      <legend>{texts.whom}</legend>
      <Stack gap={8}>
        <MultiSelect
          label={texts.mailTo}
          size="xs"
          searchable
          data={choices(active)}
          value={mailTo.map(String)}
          onChange={(ids) => change({ mailTo: ids.map(Number) })}
          error={problemOf('email_users')}
          description={<State service={serviceOf('email')} error={services.error} />}
        />
        <MultiSelect
          label={texts.smsTo}
          size="xs"
          searchable
          disabled={!isThere('sms') && smsTo.length === 0}
          data={choices(reachable)}
          value={smsTo.map(String)}
          onChange={(ids) => change({ smsTo: ids.map(Number) })}
          error={problemOf('sms_users')}
          description={<State service={serviceOf('sms')} error={services.error} />}
        />
        <ChannelField
          label={texts.chat}
          placeholder={texts.chatHint}
          size="xs"
          maxLength={100}
          disabled={!isThere('chat') && chatChannel === ''}
          value={chatChannel}
          onChange={(channel) => change({ chatChannel: channel })}
          error={problemOf('chat_channel')}
          description={<State service={serviceOf('chat')} error={services.error} />}
        />
        <TextInput
          label={texts.teams}
          placeholder="https://"
          size="xs"
          maxLength={2000}
          value={teamsWebhook}
          onChange={(event) => change({ teamsWebhook: event.currentTarget.value })}
          error={problemOf('teams_chat_webhook')}
        />
        {SWITCHES.map((id) => (
          <Checkbox
            key={id}
            size="xs"
            label={texts[id]}
            checked={draft[id]}
            disabled={!isThere(id) && !draft[id]}
            onChange={(event) => change({ [id]: event.currentTarget.checked })}
            error={problemOf(id)}
            description={<State service={serviceOf(id)} error={services.error} />}
          />
        ))}
        {!hasChannel && (
          <Text size="xs" className="dim" role="status">
            {texts.noWay}
          </Text>
        )}
      </Stack>
    </fieldset>
  );
}

/** Whether messages over a channel arrive; if not, where administrators connect it, and for others who can. */
function State({ service, error }: { service: Schema<'ServiceDto'> | undefined; error: Error | null }) {
  const me = useMe();
  const now = useNow();
  if (service === undefined) return error ? texts.stateUnknown : null;
  const { id, name, connected: isConnected, last_error: failure, last_ok_timestamp: lastOk } = service;
  if (canSend(service)) return lastOk === null ? texts.ready : texts.works(agoText(lastOk, now));
  return (
    <>
      {isConnected ? <span className={classes.broken}>{texts.broken(failure ?? '')}</span> : texts.notConnected}{' '}
      {me.admin ? (
        <Anchor component={Link} to={`/setup/integrations/${id}`} search={keepView as never} fz="inherit">
          {isConnected ? texts.repair(name) : texts.connect(name)}
        </Anchor>
      ) : (
        <AskAdmins />
      )}
    </>
  );
}
