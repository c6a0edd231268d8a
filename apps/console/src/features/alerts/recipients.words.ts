export const words = {
  mute: 'Mute',
  muteText:
    'For a known outage: watchers send nothing until the time is over. Anomalies are still found and recorded, and admin alerts are still sent.',
  lengths: {
    30: '30 minutes',
    60: '1 hour',
    120: '2 hours',
    480: '8 hours',
    1440: '1 day',
    10_080: '7 days',
  } as Readonly<Record<number, string>>,
  length: 'For how long',
  muteButton: 'Mute all alerts',
  muteAgain: 'Mute from now on',
  isMuted: 'Muted until',
  notMuted: 'Alerts are not muted.',
  oneOnly: 'Only some metrics, or at set times? Use',
  maintenance: 'Maintenance',

  defaults: 'Who gets messages by default',
  defaultsText:
    'For watchers that name no recipient of their own, and for admin alerts that name nobody. Other channels are set at the watcher.',
  onlyAdmins: 'Administrators change this.',
  fields: {
    email_users: 'Mail to',
    sms_users: 'Text message to',
    chat_mention_users: 'Mention in the chat',
    admin_email_users: 'Admin alerts: mail to',
    admin_sms_users: 'Admin alerts: text message to',
  },
  hints: {
    sms_users: 'People with a telephone number.',
    chat_mention_users: 'People with a member id of the chat.',
    admin_sms_users: 'People with a telephone number.',
  } as Readonly<Record<string, string>>,
  noneAlike: 'Nobody like that',
  none: 'no one',
  save: 'Save',
  saved: 'The default recipients are saved',
  undo: 'Undo',
  failed: (why: string) => `Nothing changed: ${why}`,
} as const;
