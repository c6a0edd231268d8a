import { bodyOf, draftOfToken, lackOf, newTokenDraft, type TokenDraft } from './token-form';

const NOW = 1_760_000_000;
const ZONE = 'Europe/Oslo';
const draft = (part: Partial<TokenDraft> = {}): TokenDraft => ({ ...newTokenDraft(NOW, ZONE), name: 'prod', ...part });

const TOKEN = {
  id: 'pl_***',
  org_id: 1,
  ref: 7,
  name: 'old',
  valid_until: NOW + 3600,
  permissions: { read: true, write: false, alert: false, ingest: true, admin: false },
  created_timestamp: NOW,
  created_user_id: null,
  last_used_timestamp: null,
};

describe('the form of a token', () => {
  it('starts with a token that may only send data', () => {
    expect(bodyOf(draft(), NOW, ZONE)).toEqual({
      name: 'prod',
      permissions: { ingest: true, read: false, write: false, alert: false, admin: false },
      valid_until: null,
    });
  });

  it('computes the expiry from days', () => {
    expect(bodyOf(draft({ expiry: '30' }), NOW + 0.5, ZONE).valid_until).toBe(NOW + 30 * 86_400);
  });

  it('parses the expiry in the time zone of the page', () => {
    expect(bodyOf(draft({ expiry: 'date', date: '2025-12-24T18:00' }), NOW, ZONE).valid_until).toBe(1_766_595_600);
  });

  it('keeps the expiry of a stored token unless it is changed', () => {
    const kept = draftOfToken(TOKEN, NOW, ZONE);
    expect(kept.permissions).toEqual(['ingest', 'read']);
    expect(bodyOf(kept, NOW, ZONE)).not.toHaveProperty('valid_until');
    expect(bodyOf({ ...kept, expiry: 'never' }, NOW, ZONE).valid_until).toBeNull();
  });

  it('reports missing or invalid fields', () => {
    const bare = draft({ name: '  ', permissions: [], expiry: 'date', date: '2020-01-01T00:00' });
    expect(lackOf(bare, NOW, ZONE)).toEqual({ name: true, permissions: true, date: true });
    expect(lackOf(draft({ expiry: 'date', date: 'none' }), NOW, ZONE)).toEqual({ date: true });
    expect(lackOf(draft(), NOW, ZONE)).toEqual({});
  });
});
