export const words = {
  title: 'Set up',
  tabs: {
    tokens: 'Tokens',
    people: 'People',
    account: 'Your account',
    integrations: 'Integrations',
    organisation: 'Organisation',
    audit: 'Audit log',
    configuration: 'Configuration',
  },
  askAdmins: (names: string) => `Ask an administrator: ${names}.`,
  askAdmin: 'Ask an administrator.',
  onlyAdmins: 'This page is for administrators.',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved',
  failed: (why: string) => `Nothing changed: ${why}`,
} as const;
